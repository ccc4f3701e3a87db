import { createHash } from 'node:crypto'
import type { rpc as Rpc, Transaction, xdr as Xdr } from '@stellar/stellar-sdk'
import type { Environment } from '../../../redeemkit/core/blockchains.ts'
import { type Clock, unixSeconds } from '../../../redeemkit/core/clock.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { oneLine } from '../../../redeemkit/core/errors/oneLine.ts'
import { parseTransaction } from '../../../redeemkit/stellar/envelope/envelope.ts'
import { networkOf, type StellarNetwork } from '../../../redeemkit/stellar/networks.ts'
import { Address, Keypair, Operation, rpc, TransactionBuilder, xdr } from '../../../redeemkit/stellar/sdk.ts'
import { addressValue, i128Value } from '../../chains/stellar/ledger/contract.ts'
import { openServer } from '../../chains/stellar/openServer.ts'
import { settlementArgs } from '../../chains/stellar/settlementContract.ts'
import type {
  StellarCall,
  StellarOutcome,
  StellarPayment,
  StellarSettlement,
  StellarSettlementOptions,
} from '../service.ts'
import { isFinal } from '../transfers/settleStellarTransfer.ts'
import { PaymentNotSettledError } from './outcome.ts'

/**
 * Returns the contract call of a transaction and ignores everything else, because the settlement contract makes the call with its operator
 * as the source account.
 */
function readCall(
  transaction: string,
  options: { network: StellarNetwork; settlement: string },
): StellarCall {
  const { network, settlement } = options
  const [operation, ...more] = parse(transaction, network)
  const body = operation?.body()
  const hostFunction =
    body?.switch().name === 'invokeHostFunction' ? body.invokeHostFunctionOp().hostFunction() : undefined
  if (more.length > 0 || hostFunction?.switch().name !== 'hostFunctionTypeInvokeContract')
    throw refused('Its only operation must be a contract call.')
  const call = hostFunction.invokeContract()
  const contract = Address.fromScAddress(call.contractAddress()).toString()
  const functionName = call.functionName().toString()
  if (contract === network.usdc.contract || contract === settlement)
    throw refused(`Payments may not call contract ${contract}.`)
  if (functionName.startsWith('__')) throw refused(`Function ${functionName} is reserved.`)
  return { contract, functionName, args: call.args().map((arg) => arg.toXDR('base64')) }
}

function parse(transaction: string, network: StellarNetwork) {
  try {
    const { transaction: parsed, feeBump } = parseTransaction(transaction, network)
    if (feeBump !== undefined) throw refused('The service pays the fee. Remove the fee bump.')
    return parsed.toEnvelope().v1().tx().operations()
  } catch (cause) {
    if (cause instanceof PaymentNotSettledError || !(cause instanceof BaseError)) throw cause
    throw refused(cause.shortMessage, cause)
  }
}

function refused(text: string, cause?: unknown): PaymentNotSettledError {
  return new PaymentNotSettledError(`The Stellar transaction cannot be settled: ${text}`, {
    cause,
    field: 'stellarTransaction',
  })
}

export function createStellarSettlement(
  options: StellarSettlementOptions & { rpcUrl: string; environment: Environment; now: Clock },
): StellarSettlement {
  const { rpcUrl, environment, now, contract, operatorKey } = options
  const network = networkOf(environment)
  const context: Context = {
    client: openServer(rpcUrl),
    network,
    now,
    contract,
    operator: Keypair.fromSecret(operatorKey),
  }
  return {
    contract,
    operator: context.operator.publicKey(),
    readCall: (transaction) => readCall(transaction, { network, settlement: contract }),
    prepare: (payment) => prepare(context, payment),
    send: (signed) => send(context, signed),
  }
}

type Context = {
  client: Rpc.Server
  network: StellarNetwork
  now: Clock
  contract: string
  operator: Keypair
}

async function prepare(
  context: Context,
  payment: StellarPayment,
): Promise<{ raw: string; hash: string } | undefined> {
  const { client, operator } = context
  const draft = await settlementDraft(context, payment)
  const simulated = await client.simulateTransaction(draft)
  if (!rpc.Api.isSimulationSuccess(simulated)) {
    if (await isSettled(context, payment)) return undefined
    const why = rpc.Api.isSimulationError(simulated) ? simulated.error : 'its entries are archived'
    throw new PaymentNotSettledError(`The payment cannot be settled: ${oneLine(why).slice(0, 300)}.`)
  }
  const transaction = rpc.assembleTransaction(draft, simulated).build()
  transaction.sign(operator)
  return { raw: transaction.toXDR(), hash: transaction.hash().toString('hex') }
}

/** The operator's authorization is fixed, so that a contract cannot take more from the operator. */
async function settlementDraft(context: Context, payment: StellarPayment): Promise<Transaction> {
  const { contract, operator, network } = context
  const { amount } = payment
  const spender = operator.publicKey()
  const shared = { id: idOf(payment), amount }
  const [functionName, args, receiver] =
    'to' in payment
      ? (['pay', settlementArgs(shared, addressValue(payment.to)), payment.to] as const)
      : ([
          'execute',
          settlementArgs(
            shared,
            addressValue(payment.call.contract),
            xdr.ScVal.scvSymbol(payment.call.functionName),
            xdr.ScVal.scvVec(payment.call.args.map((arg) => xdr.ScVal.fromXDR(arg, 'base64'))),
          ),
          contract,
        ] as const)
  const transfer = [addressValue(spender), addressValue(receiver), i128Value(amount)]
  const invocation = authorized(contract, functionName, args, [
    authorized(network.usdc.contract, 'transfer', transfer, []),
  ])
  const auth = new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
    rootInvocation: invocation,
  })
  return draftOf(
    context,
    Operation.invokeContractFunction({ contract, function: functionName, args: [...args], auth: [auth] }),
  )
}

function authorized(
  contract: string,
  functionName: string,
  args: readonly Xdr.ScVal[],
  subInvocations: Xdr.SorobanAuthorizedInvocation[],
): Xdr.SorobanAuthorizedInvocation {
  return new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
      new xdr.InvokeContractArgs({
        contractAddress: Address.fromString(contract).toScAddress(),
        functionName,
        args: [...args],
      }),
    ),
    subInvocations,
  })
}

async function draftOf(context: Context, operation: Xdr.Operation): Promise<Transaction> {
  const { client, operator, network, now } = context
  const account = await client.getAccount(operator.publicKey())
  return new TransactionBuilder(account, {
    fee: '100',
    networkPassphrase: network.networkPassphrase,
    timebounds: { minTime: 0, maxTime: Number(unixSeconds(now)) + validForSeconds },
  })
    .addOperation(operation)
    .build()
}

const validForSeconds = 300

/** The contract identifies a payment by the SHA-256 of its `paymentId`. */
function idOf({ paymentId }: StellarPayment): Buffer {
  return createHash('sha256').update(paymentId).digest()
}

async function isSettled(context: Context, payment: StellarPayment): Promise<boolean> {
  const { client, contract } = context
  const args = [xdr.ScVal.scvBytes(idOf(payment))]
  const operation = Operation.invokeContractFunction({ contract, function: 'settled', args })
  const answer = await client.simulateTransaction(await draftOf(context, operation))
  if (!rpc.Api.isSimulationSuccess(answer))
    throw new Error('The settlement contract on Stellar does not respond.')
  return answer.result?.retval.b() === true
}

async function send(
  { client, network }: Context,
  { raw, hash }: { raw: string; hash: string },
): Promise<StellarOutcome> {
  const look = async (attempts: number): Promise<StellarOutcome> => {
    const included = await client.pollTransaction(hash, { attempts, sleepStrategy: () => pollMs })
    if (included.status === 'NOT_FOUND') return 'unknown'
    return included.status === 'SUCCESS' ? 'settled' : 'failed'
  }
  const before = await look(1)
  if (before !== 'unknown') return before
  const sent = await client.sendTransaction(parseTransaction(raw, network).transaction)
  if (sent.status !== 'ERROR') return look(12)
  // The transaction may have been confirmed between the two requests, in a ledger that the node reports late.
  const after = await look(3)
  const code = sent.errorResult?.result().switch().name ?? ''
  return after === 'unknown' && isFinal(code) ? 'dropped' : after
}

const pollMs = 100
