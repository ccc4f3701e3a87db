import type { Keypair, rpc as Rpc, Transaction } from '@stellar/stellar-sdk'
import { centsToAmount } from '../../../redeemkit/core/amount/centsToAmount.ts'
import type { Environment } from '../../../redeemkit/core/blockchains.ts'
import type { Clock } from '../../../redeemkit/core/clock.ts'
import { permitMaximumSeconds } from '../../../redeemkit/core/limits.ts'
import { addressCredentialsOf } from '../../../redeemkit/stellar/envelope/authEntry.ts'
import { parseTransaction } from '../../../redeemkit/stellar/envelope/parseTransaction.ts'
import type { ExpectedTransaction } from '../../../redeemkit/stellar/expected.ts'
import { inspectRequest } from '../../../redeemkit/stellar/inspect/inspectRequest.ts'
import type { StellarNetwork } from '../../../redeemkit/stellar/networks.ts'
import { xdr } from '../../../redeemkit/stellar/sdk.ts'
import {
  isSignedByCustomer,
  movedUsdc,
  StellarSettlementError,
  settleStellarPayment,
} from '../../chains/stellar/settleStellarPayment.ts'
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

/** Number and interval of polls per call. Repeating the call continues. */
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

/** Facts that the service needs again when the signed transaction arrives. */
type Facts = { transaction: string; expected: ExpectedTransaction }

export function parseFacts(text: string): Facts {
  // Written by `jsonText` when it was prepared.
  const { transaction, expected } = JSON.parse(text) as Facts
  if (expected.kind === 'payment')
    return { transaction, expected: { ...expected, amount: BigInt(expected.amount) } }
  const { spends } = expected
  return {
    transaction,
    expected: { ...expected, ...(spends && { spends: { ...spends, amount: BigInt(spends.amount) } }) },
  }
}

/** Converts an error to the transfer's state; unexpected errors are rethrown. */
function outcomeOf(error: unknown, isSent: boolean): Outcome {
  if (!(error instanceof StellarSettlementError)) throw error
  const { resultCode: code, shortMessage } = error
  if (code === 'NOT_FOUND' || code === 'TRY_AGAIN_LATER') return unknown(error)
  if (isSent) return failed(shortMessage, error)
  if (isFinal(code)) return expired(shortMessage, error)
  return { ...failed(shortMessage, error), status: 'refused' }
}

/** Result codes after which a transaction can never be confirmed: its sequence number is used or its time bounds have passed. */
export function isFinal(code: string): boolean {
  return code === 'txBadSeq' || code === 'txTooLate'
}

function unknown(cause?: unknown): Outcome {
  const texts = 'The transaction is not confirmed yet. Repeat the request; it is never paid twice.'
  return { status: 'unknown', problem: problem('UNAVAILABLE', texts, { cause }) }
}

function failed(texts: string, cause?: unknown) {
  const details = {
    revertReason: texts,
    ...(cause instanceof StellarSettlementError && { error: { name: cause.resultCode } }),
  }
  return {
    status: 'failed',
    problem: problem('SIMULATION_FAILED', texts, { cause, details }),
  } as const satisfies Outcome
}

function expired(texts: string, cause?: unknown): Outcome {
  const advice = 'Prepare the transfer again: POST /sandbox/usdc-transfer.'
  return { status: 'expired', problem: problem('PERMIT_EXPIRED', `${texts} ${advice}`, { cause }) }
}

/** Whether two transactions are equal apart from what the customer adds. */
export function isPreparedTransaction(
  transaction: string,
  prepared: string,
  network: StellarNetwork,
): boolean {
  return bare(transaction, network) === bare(prepared, network)
}

/** The envelope without what the customer adds: signatures, and the expiry of an authorization. */
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

/** Resubmits a co-signed, journalled transaction and follows it. */
export async function resumeTransfer(
  context: TransferContext,
  { facts, raw, hash }: { facts: string; raw: string; hash: string },
): Promise<Outcome> {
  const { client, network } = context
  const { expected } = parseFacts(facts)
  const { transaction } = parseTransaction(raw, network)
  const look = () => readOutcome(context, { hash, expected, transaction })
  const found = await look()
  if (found !== undefined) return found
  const { status } = await client.sendTransaction(transaction)
  // It may have been confirmed between the two calls, in a ledger that the node reports with a delay.
  const attempts = status === 'ERROR' ? 3 : looks.attempts
  await client.pollTransaction(hash, { attempts, sleepStrategy: () => looks.pollIntervalMs })
  return (await look()) ?? unknown()
}

/** The transaction's outcome on the ledger; undefined if unknown there. */
async function readOutcome(
  { client, network }: TransferContext,
  sent: { hash: string; expected: ExpectedTransaction; transaction: Transaction },
): Promise<Outcome | undefined> {
  const { hash, expected, transaction } = sent
  const looked = await client.getTransaction(hash)
  if (looked.status === 'FAILED') return failed(`The transaction ${hash} failed on the ledger.`)
  if (looked.status === 'SUCCESS')
    return movedUsdc(looked, { expected, network })
      ? { status: 'settled' }
      : failed(`The transaction ${hash} was confirmed but did not pay.`)
  return isOver(looked, transaction)
    ? expired('Its time bounds are over, and no ledger includes it.')
    : undefined
}

/**
 * Whether a node that does not know a transaction has every ledger that could include it. A node lags behind the network, keeps
 * ledgers for about a week or less, and rejects a transaction that it has included like one whose sequence number is used.
 */
function isOver(looked: Rpc.Api.GetTransactionResponse, { timeBounds }: Transaction): boolean {
  const end = Number(timeBounds?.maxTime)
  return (
    Number(looked.latestLedgerCloseTime) > end &&
    Number(looked.oldestLedgerCloseTime) < end - Number(permitMaximumSeconds)
  )
}

/** Inspects and co-signs, calls `onSigned`, submits, and follows the transaction. */
export async function settleTransfer(
  context: TransferContext,
  transfer: Parameters<TransferChain['settle']>[0],
): Promise<Outcome> {
  const { client, environment, now, sponsors } = context
  const { transaction, onSigned } = transfer
  const facts = parseFacts(transfer.facts)
  const sponsor = sponsors.get(facts.expected.sponsor ?? '')
  if (sponsor === undefined)
    return expired('The account that pays the fee no longer belongs to this service.')
  const refusal = await findRefusal(context, transaction, facts)
  if (refusal !== undefined) return refusal
  let isSent = false
  try {
    await settleStellarPayment(client, {
      environment,
      sponsor,
      transaction,
      expected: facts.expected,
      now,
      ...looks,
      onSigned: ({ transaction: raw, hash }) => onSigned({ raw, hash }),
      onSent: () => {
        isSent = true
      },
    })
    return { status: 'settled' }
  } catch (error) {
    return outcomeOf(error, isSent)
  }
}

/** Why a signed transaction is refused; undefined if it can be settled. */
async function findRefusal(
  context: TransferContext,
  transaction: string,
  facts: Facts,
): Promise<Outcome | undefined> {
  const { sequence } = await context.client.getLatestLedger()
  const { findings, details } = inspectTransfer(context, transaction, facts, sequence)
  const dangers = findings.filter(({ severity }) => severity === 'danger')
  if (dangers.some(({ code }) => code === 'EXPIRED'))
    return expired('The time bounds are over, so the transaction can never be confirmed.')
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
