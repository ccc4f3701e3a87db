import type { Transaction } from '@stellar/stellar-sdk'
import { formatAmount } from '../../core/amount/formatAmount.ts'
import { showText } from '../../core/errors/showText.ts'
import { type Invocation, parseCall } from '../envelope/authEntry.ts'
import type { StellarNetwork } from '../networks.ts'
import { Address, Asset, scValToBigInt, xdr } from '../sdk.ts'
import type { InspectedOperation } from './context.ts'

/** Reads an operation: payments and calls with the amounts they move, sponsored-account operations described, others by name. */
export function parseOperation(
  operation: Transaction['operations'][number],
  transactionSource: string,
): InspectedOperation {
  const { type, source = transactionSource } = operation
  if (operation.type === 'payment') {
    const { asset, destination, amount } = operation
    // The SDK writes amounts as decimal text with exactly 7 places.
    return {
      type,
      source,
      payment: { to: destination, asset: asset.toString(), amount: BigInt(amount.replace('.', '')) },
    }
  }
  if (
    operation.type === 'invokeHostFunction' &&
    operation.func.switch().name === 'hostFunctionTypeInvokeContract'
  )
    return { type, source, call: parseCall(operation.func.invokeContract()) }
  if (operation.type === 'accountMerge') return { type, source, mergesInto: operation.destination }
  const { signer } = Object(operation) as { signer?: { ed25519PublicKey?: unknown } } // of setOptions alone
  if (operation.type === 'setOptions' && typeof signer?.ed25519PublicKey === 'string')
    return { type, source, addsSigner: signer.ed25519PublicKey }
  const effect = effectOf(operation, source)
  if (effect === undefined) return { type, source }
  return operation.type === 'beginSponsoringFutureReserves'
    ? { type, source, effect, sponsored: operation.sponsoredId }
    : { type, source, effect }
}

/** Descriptions of the operations that open a sponsored account. */
function effectOf(operation: Transaction['operations'][number], source: string): string | undefined {
  switch (operation.type) {
    case 'beginSponsoringFutureReserves':
      return `Has ${source} keep the reserves of ${operation.sponsoredId}`
    case 'createAccount':
      return `Creates the account ${operation.destination} with ${operation.startingBalance} XLM of ${source}`
    case 'changeTrust':
      return `Lets ${source} hold ${operation.line} up to ${operation.limit}`
    case 'endSponsoringFutureReserves':
      return `Ends what is sponsored for ${source}`
    default:
      return undefined
  }
}

/** Describes an operation. */
export function formatOperation(
  { type, source, payment, call, effect }: InspectedOperation,
  network: StellarNetwork,
): string {
  if (payment !== undefined)
    return `Pays ${formatAmount(payment.amount, { decimals: 7 })} of ${payment.asset} from ${source} to ${payment.to}.`
  if (call !== undefined) return `${formatCall(call, network)}.`
  return `${effect ?? `Performs the operation ${type} for ${source}`}.`
}

/** Describes a call and its nested calls. */
export function formatCall(call: Invocation, network: StellarNetwork): string {
  const { contract, functionName, args, subInvocations } = call
  const text =
    readTokenCall(call, network) ??
    `Calls ${showName(functionName)} of ${contract} with ${args.length} arguments`
  const inside = subInvocations.map((inner) => formatCall(inner, network))
  return inside.length === 0 ? text : `${text} (${inside.join('; ')})`
}

/** Quotes a value that is not a function name, as untrusted text. */
const showName = (name: string) => (/^\w+$/.test(name) ? name : showText(name))

/**
 * The functions of a token (SEP-41, CAP-46-6) that customers are asked for: types of the arguments (`a`ddress, `i`128, `u`32), and
 * what they do in words, with the number of an argument for its value.
 *
 * Other functions count as unknown: customers never need to administer or freeze a token.
 */
const functions: Readonly<Record<string, readonly [types: string, text: string]>> = {
  transfer: ['aai', 'Pays 2 from 0 to 1'],
  transfer_from: ['aaai', 'Pays 3 from 1 to 2 by the allowance of 0'],
  approve: ['aaiu', 'Lets 1 spend 2 of 0 until ledger 3'],
  burn: ['ai', 'Destroys 1 of 0'],
  burn_from: ['aai', 'Destroys 2 of 1 by the allowance of 0'],
}

/** Describes a call of the USDC or XLM contract; undefined for an unknown function. */
export function readTokenCall(
  { contract, functionName, args }: Invocation,
  network: StellarNetwork,
): string | undefined {
  const token = tokenOf(contract, network)
  const [types, text] = (Object.hasOwn(functions, functionName) && functions[functionName]) || []
  if (token === undefined || types === undefined || text === undefined) return undefined
  const values = args.map((arg, index) => readArgument(arg, types[index], token))
  if (values.length !== types.length || values.includes(undefined)) return undefined
  return text.replace(/\d/g, (index) => values[Number(index)] ?? '')
}

/** The name of a token by its contract: USDC's is the network's, XLM's follows from the passphrase. */
function tokenOf(contract: string, { usdc, networkPassphrase }: StellarNetwork): string | undefined {
  if (contract === usdc.contract) return usdc.code
  return contract === Asset.native().contractId(networkPassphrase) ? 'XLM' : undefined
}

function readArgument(arg: string, type: string | undefined, token: string): string | undefined {
  const value = xdr.ScVal.fromXDR(arg, 'base64')
  const { name } = value.switch()
  if (type === 'a' && name === 'scvAddress') return Address.fromScVal(value).toString()
  if (type === 'i' && name === 'scvI128')
    return `${formatAmount(scValToBigInt(value), { decimals: 7 })} ${token}`
  return type === 'u' && name === 'scvU32' ? String(value.u32()) : undefined
}
