import { Address } from '@stellar/stellar-sdk'
import { BaseError } from '../../../../redeemkit/core/errors/baseError.ts'
import { parseTransaction } from '../../../../redeemkit/stellar/envelope/parseTransaction.ts'
import type { StellarNetwork } from '../../../../redeemkit/stellar/networks.ts'
import { PaymentNotSettledError } from '../errors.ts'
import type { StellarCall } from '../stellarSettlement.ts'

/**
 * The call of a merchant contract that an envelope names. Of the envelope nothing else counts: the contract that settles payments
 * makes the call, and its operator is the source.
 *
 * @throws {@link PaymentNotSettledError} for what is no single call, and for contracts that no payment may call
 */
export function readCall(
  transaction: string,
  options: { network: StellarNetwork; settlement: string },
): StellarCall {
  const { network, settlement } = options
  const [operation, ...more] = parse(transaction, network)
  const body = operation?.body()
  const hostFunction =
    body?.switch().name === 'invokeHostFunction' ? body.invokeHostFunctionOp().hostFunction() : undefined
  if (more.length > 0 || hostFunction?.switch().name !== 'hostFunctionTypeInvokeContract')
    throw refused('It has to be one operation, the call of a contract.')
  const call = hostFunction.invokeContract()
  const contract = Address.fromScAddress(call.contractAddress()).toString()
  const functionName = call.functionName().toString()
  if (contract === network.usdc.contract || contract === settlement)
    throw refused(`No payment may call ${contract}.`)
  if (functionName.startsWith('__')) throw refused(`${functionName} is reserved for the network.`)
  return { contract, functionName, args: call.args().map((arg) => arg.toXDR('base64')) }
}

function parse(transaction: string, network: StellarNetwork) {
  try {
    const { transaction: parsed, feeBump } = parseTransaction(transaction, network)
    if (feeBump !== undefined) throw refused('The service pays the fee: leave the fee bump out.')
    return parsed.toEnvelope().v1().tx().operations()
  } catch (cause) {
    if (cause instanceof PaymentNotSettledError || !(cause instanceof BaseError)) throw cause
    throw refused(cause.shortMessage, cause)
  }
}

function refused(words: string, cause?: unknown): PaymentNotSettledError {
  return new PaymentNotSettledError(`The transaction of Stellar cannot be settled: ${words}`, {
    cause,
    field: 'stellarTransaction',
  })
}
