import type { Keypair, rpc as Rpc, Transaction } from '@stellar/stellar-sdk'
import { centsToAmount } from '../../../redeemkit/core/amount.ts'
import type { Environment } from '../../../redeemkit/core/blockchains.ts'
import type { Clock } from '../../../redeemkit/core/clock.ts'
import { RefusedTransactionError } from '../../../redeemkit/core/errors/transactionErrors.ts'
import { permitMaximumSeconds } from '../../../redeemkit/core/limits.ts'
import { addressCredentialsOf } from '../../../redeemkit/stellar/envelope/authEntry.ts'
import { findSignature, parseTransaction } from '../../../redeemkit/stellar/envelope/envelope.ts'
import type { ExpectedTransaction } from '../../../redeemkit/stellar/expected.ts'
import { inspectRequest } from '../../../redeemkit/stellar/inspect/inspectRequest.ts'
import type { StellarNetwork } from '../../../redeemkit/stellar/networks.ts'
import { xdr } from '../../../redeemkit/stellar/sdk.ts'
import { signTransaction } from '../../../redeemkit/stellar/transaction/signTransaction.ts'
import { ContractCallFailedError } from '../../../redeemkit/stellar/transaction/simulateCall.ts'
import { movedUsdc } from '../../chains/stellar/movedUsdc.ts'
import { problem } from '../http/problem.ts'
import type { Outcome, TransferChain } from './transferChain.ts'

export type TransferContext = {
  client: Rpc.Server
  environment: Environment
  network: StellarNetwork
  now: Clock
  /** The accounts that pay fees, by address. */
  sponsors: ReadonlyMap<string, Keypair>
}

/** Number and interval of polls per call. A repeated call polls again. */
const looks = { attempts: 60, pollIntervalMs: 500 }

export function inspectTransfer(
  { environment, now }: TransferContext,
  transaction: string,
  { expected }: Facts,
  latestLedger?: number,
): ReturnType<typeof inspectRequest> {
  return inspectRequest({ transaction }, { environment, address: expected.from, expected, latestLedger, now })
}

/** Stellar's USDC has 7 decimals. */
export function amountOf(cents: number): bigint {
  return centsToAmount(cents) * 10n
}

/** Needed when the signed transaction arrives. */
type Facts = { transaction: string; expected: ExpectedTransaction }

export function parseFacts(text: string): Facts {
  // `jsonText` wrote this text when the transfer was prepared.
  const { transaction, expected } = JSON.parse(text) as Facts
  if (expected.kind === 'payment')
    return { transaction, expected: { ...expected, amount: BigInt(expected.amount) } }
  const { spends } = expected
  return {
    transaction,
    expected: { ...expected, ...(spends && { spends: { ...spends, amount: BigInt(spends.amount) } }) },
  }
}

/** Whether a result code means that a transaction can never be confirmed, because its sequence number was used or it has expired. */
export function isFinal(code: string): boolean {
  return code === 'txBadSeq' || code === 'txTooLate'
}

function unknown(): Outcome {
  const texts = 'The transaction is not confirmed yet. Repeat the request; it is never paid twice.'
  return { status: 'unknown', problem: problem('UNAVAILABLE', texts) }
}

/** @param code the ledger's result code, or an error's name */
function failed(texts: string, code?: string) {
  const details = { revertReason: texts, ...(code !== undefined && { error: { name: code } }) }
  return {
    status: 'failed',
    problem: problem('SIMULATION_FAILED', texts, { details }),
  } as const satisfies Outcome
}

function expired(texts: string): Outcome {
  const advice = 'Prepare the transfer again: POST /sandbox/usdc-transfer.'
  return { status: 'expired', problem: problem('PERMIT_EXPIRED', `${texts} ${advice}`) }
}

/** Whether two transactions are equal, apart from the parts that the customer adds. */
export function isPreparedTransaction(
  transaction: string,
  prepared: string,
  network: StellarNetwork,
): boolean {
  return bare(transaction, network) === bare(prepared, network)
}

/** Returns the envelope without the parts that the customer adds: signatures, and the expiration of an authorization. */
function bare(transaction: string, network: StellarNetwork): string {
  const { transaction: parsed, feeBump } = parseTransaction(transaction, network)
  if (feeBump !== undefined) return transaction
  const envelope = parsed.toEnvelope()
  envelope.v1().signatures([])
  for (const operation of envelope.v1().tx().operations()) {
    const body = operation.body()
    if (body.switch().name !== 'invokeHostFunction') continue
    for (const entry of body.invokeHostFunctionOp().auth()) {
      const holder = addressCredentialsOf(entry)?.holder
      holder?.signature(xdr.ScVal.scvVoid())
      holder?.signatureExpirationLedger(0)
    }
  }
  return envelope.toXDR('base64')
}

export async function resumeTransfer(
  context: TransferContext,
  { facts, raw, hash }: { facts: string; raw: string; hash: string },
): Promise<Outcome> {
  const { expected } = parseFacts(facts)
  const sent: Sent = { hash, expected, transaction: parseTransaction(raw, context.network).transaction }
  return (await readOutcome(context, sent)) ?? (await submit(context, sent)).outcome ?? unknown()
}

type Sent = { hash: string; expected: ExpectedTransaction; transaction: Transaction }

/** @returns the outcome if the ledger has one; otherwise the code with which the node rejected the transaction */
async function submit(
  context: TransferContext,
  sent: Sent,
): Promise<{ outcome: Outcome | undefined; code: string | undefined }> {
  const { client } = context
  const { status, errorResult } = await client.sendTransaction(sent.transaction)
  const isAccepted = status === 'PENDING' || status === 'DUPLICATE'
  // A node that has just applied the transaction may reject a resubmission, and may report the result only a little later.
  const attempts = isAccepted ? looks.attempts : 3
  await client.pollTransaction(sent.hash, { attempts, sleepStrategy: () => looks.pollIntervalMs })
  const code = status === 'ERROR' ? (codeOf(errorResult) ?? status) : undefined
  return { outcome: await readOutcome(context, sent), code }
}

function codeOf(
  result: { result: () => { switch: () => { name: string } } } | undefined,
): string | undefined {
  return result?.result().switch().name
}

/** Returns undefined if the ledger does not know the transaction. */
async function readOutcome(
  { client, network }: TransferContext,
  { hash, expected, transaction }: Sent,
): Promise<Outcome | undefined> {
  const looked = await client.getTransaction(hash)
  if (looked.status === 'FAILED') {
    const code = codeOf(looked.resultXdr) ?? looked.status
    return failed(`The transaction ${hash} failed on the ledger: ${code}.`, code)
  }
  if (looked.status === 'SUCCESS')
    return movedUsdc(looked, { expected, network })
      ? { status: 'settled' }
      : failed(`The transaction ${hash} was confirmed but did not pay.`, 'PAYMENT_MISSING')
  return isOver(looked, transaction)
    ? expired('The time bounds have passed, and no ledger includes the transaction.')
    : undefined
}

/**
 * Whether a transaction that a node does not know can never be confirmed, because the node has every ledger that could include it. A node
 * may lag behind, and keeps ledgers for about a week or less. A rejected resubmission proves nothing: an included transaction has used its
 * sequence number.
 */
function isOver(looked: Rpc.Api.GetTransactionResponse, { timeBounds }: Transaction): boolean {
  const end = Number(timeBounds?.maxTime)
  return (
    Number(looked.latestLedgerCloseTime) > end &&
    Number(looked.oldestLedgerCloseTime) < end - Number(permitMaximumSeconds)
  )
}

/** Maximum fee of a sponsor, in stroops: 1 XLM. */
const maxFee = 10_000_000n

export async function settleTransfer(
  context: TransferContext,
  transfer: Parameters<TransferChain['settle']>[0],
): Promise<Outcome> {
  const { client, environment, network, now, sponsors } = context
  const facts = parseFacts(transfer.facts)
  const { expected } = facts
  const sponsor = sponsors.get(expected.sponsor ?? '')
  if (sponsor === undefined)
    return expired('The account that pays the fee no longer belongs to this service.')
  const { sequence: latestLedger } = await client.getLatestLedger()
  const refusal = findRefusal(context, { transaction: transfer.transaction, facts, latestLedger })
  if (refusal !== undefined) return refusal
  const { transaction: given } = parseTransaction(transfer.transaction, network)
  const hash = given.hash().toString('hex')
  // An earlier call may have reported the transaction as rejected before the node showed that it was applied.
  const found = await readOutcome(context, { hash, expected, transaction: given })
  if (found?.status === 'expired') return found
  let raw: string
  try {
    // A contract call is simulated first, because a failing call would cost the sponsor the fee.
    const simulating = found === undefined ? client : undefined
    const signing = { environment, expected, latestLedger, now, maxFee, client: simulating }
    raw = await signTransaction(sponsor, { ...signing, transaction: transfer.transaction })
  } catch (error) {
    if (!(error instanceof ContractCallFailedError || error instanceof RefusedTransactionError)) throw error
    return { ...failed(error.shortMessage, error.name), status: 'refused' }
  }
  await transfer.onSigned({ raw, hash })
  if (found !== undefined) return found
  const { transaction } = parseTransaction(raw, network)
  const { outcome, code } = await submit(context, { hash, expected, transaction })
  if (outcome !== undefined) return outcome
  if (code === undefined) return unknown()
  const texts = `The ledger rejected the transaction: ${code}.`
  return isFinal(code) ? expired(texts) : { ...failed(texts, code), status: 'refused' }
}

function findRefusal(
  context: TransferContext,
  { transaction, facts, latestLedger }: { transaction: string; facts: Facts; latestLedger: number },
): Outcome | undefined {
  const { findings, details } = inspectTransfer(context, transaction, facts, latestLedger)
  const dangers = findings.filter(({ severity }) => severity === 'danger')
  if (dangers.some(({ code }) => code === 'EXPIRED'))
    return expired('The time bounds have passed, so the transaction can never be confirmed.')
  const [danger] = dangers
  const { network } = context
  const { from } = facts.expected
  const isSigned = details !== undefined && isSignedByCustomer({ transaction, from, network, details })
  if (danger?.code === 'FOREIGN_SIGNATURE' || !isSigned) {
    const texts = `The transaction must carry only the signature of ${from}. The customer must sign the prepared transaction, for ${network.name}.`
    return { status: 'refused', problem: problem('INVALID_USDC_AUTHORIZATION', texts) }
  }
  if (danger === undefined) return undefined
  const texts = dangers.map(({ message }) => message).join(' ')
  return { status: 'refused', problem: problem('INTENT_MISMATCH', texts) }
}

/** Whether the customer has signed the envelope or, in a contract call, each of their authorization entries. */
function isSignedByCustomer(options: {
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
