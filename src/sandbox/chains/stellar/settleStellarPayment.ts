import type { Keypair, rpc as Rpc, xdr as Xdr } from '@stellar/stellar-sdk'
import type { Clock } from '../../../redeemkit/core/clock.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { RefusedTransactionError } from '../../../redeemkit/core/errors/transactionErrors.ts'
import { parseTransaction } from '../../../redeemkit/stellar/envelope/parseTransaction.ts'
import { findSignature } from '../../../redeemkit/stellar/envelope/signEnvelope.ts'
import type { ExpectedTransaction } from '../../../redeemkit/stellar/expected.ts'
import { inspectRequest } from '../../../redeemkit/stellar/inspect/inspectRequest.ts'
import {
  networkOf,
  type StellarEnvironment,
  type StellarNetwork,
} from '../../../redeemkit/stellar/networks.ts'
import { Address, rpc, scValToNative, TransactionBuilder, xdr } from '../../../redeemkit/stellar/sdk.ts'
import { feeBump } from '../../../redeemkit/stellar/transaction/feeBump.ts'
import { signTransaction } from '../../../redeemkit/stellar/transaction/signTransaction.ts'

/** Number of look-ups before a rejection is final. */
const lateLooks = 3

/** What the sponsor pays at most, in stroops: 1 XLM. */
const maximumFee = 10_000_000n

/**
 * Settles a transaction that a customer signed: inspects it, pays its fee as sponsor, submits it and waits for the ledger.
 *
 * If the sponsor is the source, it signs the transaction; if the customer is, the sponsor wraps it in a fee bump. The
 * customer must have signed already, on the envelope or in the authorization entry.
 *
 * A contract call is simulated before it is submitted, and its events are checked afterwards: a contract may not take
 * the money it was authorized to take. Calling again with the same transaction is safe: it cannot apply twice.
 */
export async function settleStellarPayment(
  client: settleStellarPayment.Client,
  options: settleStellarPayment.Options,
): Promise<settleStellarPayment.ReturnType> {
  const network = networkOf(options.environment)
  const { expected, isCall, signed } = await signAsSponsor(client, options)
  const parsed = TransactionBuilder.fromXDR(signed, network.networkPassphrase)
  const hash = parsed.hash().toString('hex')
  const check = (applied: Rpc.Api.GetTransactionResponse) =>
    checkApplied(applied, { hash, expected, network })

  const before = await client.getTransaction(hash)
  if (before.status !== 'NOT_FOUND') return check(before)
  if (isCall) await simulateCall(client, { ...options, expected })
  await options.onSigned?.({ transaction: signed, hash })
  const submitted = await client.sendTransaction(parsed)
  const sleepStrategy = () => options.pollIntervalMs ?? 1000
  if (submitted.status === 'ERROR' || submitted.status === 'TRY_AGAIN_LATER') {
    // A node that has just applied it may return either status, and may show the result only a little later.
    const applied = await client.pollTransaction(hash, { attempts: lateLooks, sleepStrategy })
    if (applied.status === 'NOT_FOUND') throw rejectionError(submitted)
    return check(applied)
  }
  options.onSent?.()
  return check(
    await client.pollTransaction(hash, {
      attempts: options.attempts ?? 30,
      sleepStrategy,
    }),
  )
}

export declare namespace settleStellarPayment {
  /** The SDK's `rpc.Server`, or an object with the same methods. */
  type Client = Pick<
    Rpc.Server,
    'getLatestLedger' | 'getTransaction' | 'sendTransaction' | 'simulateTransaction' | 'pollTransaction'
  >
  type Options = {
    environment: StellarEnvironment
    sponsor: Keypair
    /** Base64 XDR, signed by the customer. */
    transaction: string
    expected: ExpectedTransaction
    attempts?: number | undefined
    pollIntervalMs?: number | undefined
    /** Called with the complete transaction before it is submitted: record it here. */
    onSigned?: ((signed: { transaction: string; hash: string }) => Promise<void> | void) | undefined
    /** Called once the server accepted it: after a later failure it may still be applied. */
    onSent?: (() => void) | undefined
    now?: Clock | undefined
  }
  type ReturnType = { hash: string; ledger: number }
}

/** Inspects the customer's transaction and adds the sponsor's signature or fee bump. */
async function signAsSponsor(
  client: settleStellarPayment.Client,
  options: settleStellarPayment.Options,
): Promise<{ expected: ExpectedTransaction; isCall: boolean; signed: string }> {
  const { sponsor, transaction, environment } = options
  const network = networkOf(environment)
  const address = sponsor.publicKey()
  if (options.expected.from === address)
    throw new RefusedTransactionError('The sponsor and the customer are the same account.', {
      field: 'expected.from',
      fix: 'Use a sponsor account of the service that never pays as a customer.',
    })
  // The customer may be the source: this sponsor adds the fee bump.
  const expected = { ...options.expected, sponsor: address, sponsorAs: 'feeBump' } as const
  const { sequence: latestLedger } = await client.getLatestLedger()
  const { details, findings, verdict } = inspectRequest(
    { transaction },
    { ...options, expected, address, latestLedger },
  )
  if (verdict === 'refuse' || details === undefined)
    throw new RefusedTransactionError(findings.map((finding) => finding.message).join(' '), {
      field: 'transaction',
      fix: 'Build the transaction again for exactly this payment and have the customer sign it.',
      findings,
    })
  if (!isSignedByCustomer({ transaction, from: expected.from, network, details }))
    throw new RefusedTransactionError('The customer has not signed the transaction.', {
      field: 'transaction.signatures',
      fix: 'Have the customer sign it with `signTransaction`.',
    })
  // `simulateCall` checks the declared resources before the submission.
  const sign = details.source === address ? signTransaction : feeBump
  const signed = await sign(sponsor, { ...options, maxFee: maximumFee, expected, transaction, latestLedger })
  const isCall = details.operations?.some(({ call }) => call !== undefined) === true
  return { expected, isCall, signed }
}

/**
 * Simulates a call with the customer's authorizations, which enforces them as the ledger will. Compares the required
 * resources with the declared ones, because the sponsor pays for all declared resources.
 */
async function simulateCall(
  client: settleStellarPayment.Client,
  options: settleStellarPayment.Options,
): Promise<void> {
  const { transaction, environment, sponsor } = options
  const parsed = parseTransaction(transaction, networkOf(environment)).transaction
  const simulated = await client.simulateTransaction(parsed)
  if (!rpc.Api.isSimulationSuccess(simulated))
    throw new StellarSettlementError(
      `The call fails: ${showValue(rpc.Api.isSimulationError(simulated) ? simulated.error : 'no result', 200)}`,
      {
        field: 'transaction',
        fix: 'Check the authorization, the balance, the trustlines and the contract.',
      },
      'SIMULATION_FAILED',
    )
  const asked = { ...options, address: sponsor.publicKey(), simulation: simulated }
  const { findings, verdict } = inspectRequest({ transaction }, asked)
  if (verdict === 'refuse')
    throw new RefusedTransactionError(findings.map((finding) => finding.message).join(' '), {
      field: 'transaction',
      fix: 'Build the transaction again with the resources the call needs.',
      findings,
    })
}

function rejectionError(submitted: Rpc.Api.SendTransactionResponse): StellarSettlementError {
  const { status } = submitted
  if (status === 'TRY_AGAIN_LATER')
    return new StellarSettlementError(
      'The ledger has not accepted the transaction yet.',
      {
        field: 'transaction',
        fix: 'Submit the same transaction again later: it cannot apply twice. Do not build another one.',
      },
      status,
    )
  const code = codeOf(submitted.errorResult) ?? status
  return new StellarSettlementError(
    `The ledger rejected the transaction: ${code}.`,
    {
      field: 'transaction',
      fix: 'Build the transaction again: its sequence number, time bounds, signatures or balance are no longer valid.',
    },
    code,
  )
}

function checkApplied(
  included: Rpc.Api.GetTransactionResponse,
  { hash, expected, network }: { hash: string; expected: ExpectedTransaction; network: StellarNetwork },
): settleStellarPayment.ReturnType {
  if (included.status === 'NOT_FOUND')
    throw new StellarSettlementError(
      `The transaction ${hash} is not on the ledger yet.`,
      { field: 'transaction', fix: 'Look it up by its hash: it may be applied until its time bounds end.' },
      'NOT_FOUND',
    )
  if (included.status === 'FAILED') {
    const code = codeOf(included.resultXdr) ?? 'FAILED'
    throw new StellarSettlementError(
      `The transaction ${hash} failed on the ledger: ${code}.`,
      { field: 'transaction', fix: 'Check the balance, the trustlines and the contract.' },
      code,
    )
  }
  if (!movedUsdc(included, { expected, network }))
    throw new StellarSettlementError(
      `The transaction ${hash} was applied but did not pay.`,
      {
        field: 'expected.contract',
        fix: 'Do not deliver, and stop sponsoring this contract: it was authorized to take the money but did not.',
      },
      'PAYMENT_MISSING',
    )
  return { hash, ledger: included.ledger }
}

function codeOf(
  result: { result: () => { switch: () => { name: string } } } | undefined,
): string | undefined {
  return result?.result().switch().name
}

/** A Stellar payment was not applied. */
export class StellarSettlementError extends BaseError {
  override readonly name = 'StellarSettlementError'
  /** The ledger's result code, such as `txBadSeq`. */
  readonly resultCode: string
  constructor(message: string, options: BaseError.Options, resultCode: string) {
    super(message, options)
    this.resultCode = resultCode
  }
}

/** Whether the customer has signed: the envelope, or each of their authorization entries. */
export function isSignedByCustomer(options: {
  transaction: string
  from: string
  network: StellarNetwork
  details: inspectRequest.Details
}): boolean {
  const { transaction, from, network, details } = options
  const own = details.authorizations.filter(
    (entry) => entry.address === from && entry.validUntilLedger !== undefined,
  )
  if (own.some((entry) => !entry.isSigned)) return false
  const signsEnvelope = details.source === from || details.operations?.some(({ source }) => source === from)
  if (!signsEnvelope)
    return own.length > 0 || details.operations?.every(({ payment }) => payment === undefined) === true
  const digest = parseTransaction(transaction, network).transaction.hash()
  return findSignature(transaction, { network, digest, address: from }) !== undefined
}

/**
 * Whether an applied transaction moved exactly the expected USDC of the customer. A call may take less than it was
 * authorized to take. A successful classic payment always moved it.
 */
export function movedUsdc(
  included: Rpc.Api.GetSuccessfulTransactionResponse,
  options: { expected: ExpectedTransaction; network: StellarNetwork },
): boolean {
  const { expected, network } = options
  const wanted = expected.kind === 'payment' ? expected : expected.spends
  const isCall = included.returnValue !== undefined
  if (!isCall && expected.kind === 'payment') return true
  const transfers = eventsOf(included.resultMetaXdr).flatMap((event) =>
    transferOf(event, network.usdc.contract),
  )
  const own = transfers.filter(({ from }) => from === expected.from)
  if (wanted === undefined) return own.length === 0
  const [paid, ...more] = own
  return more.length === 0 && paid?.to === wanted.to && paid.amount === wanted.amount
}

function eventsOf(meta: Xdr.TransactionMeta): readonly Xdr.ContractEvent[] {
  if (meta.switch() === 3) return meta.v3().sorobanMeta()?.events() ?? []
  return meta.switch() === 4
    ? meta
        .v4()
        .operations()
        .flatMap((operation) => operation.events())
    : []
}

/** The transfer in an event of the USDC contract (CAP-46-6, CAP-67). */
function transferOf(
  event: Xdr.ContractEvent,
  contract: string,
): { from: string; to: string; amount: bigint }[] {
  const id = event.contractId()
  const [name, from, to] = event.body().v0().topics()
  if (
    id === null ||
    !name ||
    !from ||
    !to ||
    Address.fromScAddress(xdr.ScAddress.scAddressTypeContract(id)).toString() !== contract
  )
    return []
  if (scValToNative(name) !== 'transfer') return []
  const data: unknown = scValToNative(event.body().v0().data())
  // For a muxed receiver the amount is in a map.
  const amount: unknown = typeof data === 'bigint' ? data : Object(data).amount
  return typeof amount === 'bigint'
    ? [{ from: String(scValToNative(from)), to: String(scValToNative(to)), amount }]
    : []
}
