import { type Keypair, type rpc, xdr } from '@stellar/stellar-sdk'
import { centsToAmount } from '../../../redeemkit/core/amount/centsToAmount.ts'
import type { Environment } from '../../../redeemkit/core/blockchains.ts'
import type { Clock } from '../../../redeemkit/core/time/clock.ts'
import { findSignature } from '../../../redeemkit/stellar/envelope/findSignature.ts'
import { parseTransaction } from '../../../redeemkit/stellar/envelope/parseTransaction.ts'
import type { ExpectedTransaction } from '../../../redeemkit/stellar/expected/expectedTransaction.ts'
import { inspect } from '../../../redeemkit/stellar/inspect/inspect.ts'
import type { StellarNetwork } from '../../../redeemkit/stellar/networks.ts'
import { movedUsdc } from '../../chains/stellar/movedUsdc.ts'
import { StellarSettlementError, settleStellarPayment } from '../../chains/stellar/settleStellarPayment.ts'
import { problem } from '../http/problem.ts'
import type { Outcome, TransferChain } from './transferChain.ts'

/** What every step of a transfer works with. */
export type TransferContext = {
  client: rpc.Server
  environment: Environment
  network: StellarNetwork
  now: Clock
  /** The accounts that pay fees, by address. */
  sponsors: ReadonlyMap<string, Keypair>
}

/** How often, and how long between, one call looks for its transaction. After it, the same call again goes on. */
const looks = { attempts: 60, pollIntervalMs: 500 }

/** Holds a transaction against what was prepared. */
export function inspectTransfer(
  { environment, now }: TransferContext,
  transaction: string,
  { expected }: Facts,
  latestLedger?: number,
): ReturnType<typeof inspect> {
  return inspect({ transaction }, { environment, address: expected.from, expected, latestLedger, now })
}

/** Stellar's USDC has 7 decimals. */
export function amountOf(cents: number): bigint {
  return centsToAmount(cents) * 10n
}

/** What has to be known again when a prepared transaction comes back. */
type Facts = { transaction: string; expected: ExpectedTransaction }

/** Bigints as decimal text. */
export function formatFacts(value: object): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one))
}

/** Reads what {@link formatFacts} wrote. */
export function parseFacts(text: string): Facts {
  // Written by `formatFacts`.
  const { transaction, expected } = JSON.parse(text) as Facts
  if (expected.kind === 'payment')
    return { transaction, expected: { ...expected, amount: BigInt(expected.amount) } }
  const { spends } = expected
  return {
    transaction,
    expected: { ...expected, ...(spends && { spends: { ...spends, amount: BigInt(spends.amount) } }) },
  }
}

/** What an error means for the transfer; errors that are not foreseen go on. */
function outcomeOf(error: unknown, isSent: boolean): Outcome {
  if (!(error instanceof StellarSettlementError)) throw error
  const { resultCode: code, shortMessage } = error
  if (code === 'NOT_FOUND' || code === 'TRY_AGAIN_LATER') return unknown(error)
  if (isSent) return failed(shortMessage, error)
  if (isFinal(code)) return expired(shortMessage, error)
  return { ...failed(shortMessage, error), status: 'refused' }
}

/** Result codes after which a transaction can never land: its sequence number is used, or its time is over. */
export function isFinal(code: string): boolean {
  return code === 'txBadSeq' || code === 'txTooLate'
}

function unknown(cause?: unknown): Outcome {
  const words = 'The ledger has not taken the transaction yet. Send the same again: it is never paid twice.'
  return { status: 'unknown', problem: problem('UNAVAILABLE', words, { cause }) }
}

function failed(words: string, cause?: unknown) {
  const details = {
    revertReason: words,
    ...(cause instanceof StellarSettlementError && { error: { name: cause.resultCode } }),
  }
  return {
    status: 'failed',
    problem: problem('SIMULATION_FAILED', words, { cause, details }),
  } as const satisfies Outcome
}

function expired(words: string, cause?: unknown): Outcome {
  const advice = 'Prepare the transfer again: POST /sandbox/usdc-transfer.'
  return { status: 'expired', problem: problem('PERMIT_EXPIRED', `${words} ${advice}`, { cause }) }
}

/** Whether two transactions are the same but for what the customer adds. */
export function isPreparedTransaction(
  transaction: string,
  prepared: string,
  network: StellarNetwork,
): boolean {
  return bare(transaction, network) === bare(prepared, network)
}

/** The envelope without what the customer adds: signatures, and until when an authorization is good. */
function bare(transaction: string, network: StellarNetwork): string {
  const { transaction: parsed, feeBump } = parseTransaction(transaction, network)
  if (feeBump !== undefined) return transaction
  const envelope = parsed.toEnvelope()
  envelope.v1().signatures([])
  for (const operation of envelope.v1().tx().operations()) {
    const body = operation.body()
    if (body.switch().name !== 'invokeHostFunction') continue
    for (const entry of body.invokeHostFunctionOp().auth()) {
      const credentials = entry.credentials()
      if (credentials.switch().name !== 'sorobanCredentialsAddress') continue
      credentials.address().signature(xdr.ScVal.scvVoid())
      credentials.address().signatureExpirationLedger(0)
    }
  }
  return envelope.toXDR('base64')
}

/** Sends again what was co-signed and written down, and follows it to its end. */
export async function resumeTransfer(
  context: TransferContext,
  { facts, raw, hash }: { facts: string; raw: string; hash: string },
): Promise<Outcome> {
  const { client, network } = context
  const { expected } = parseFacts(facts)
  const look = () => readOutcome(context, hash, expected)
  const found = await look()
  if (found !== undefined) return found
  const submitted = await client.sendTransaction(parseTransaction(raw, network).transaction)
  if (submitted.status === 'ERROR') {
    const code = submitted.errorResult?.result().switch().name ?? ''
    // It may have landed between the two, in a ledger that the node shows a little later; else a final code is so: nothing makes it valid again.
    await client.pollTransaction(hash, { attempts: 3, sleepStrategy: () => looks.pollIntervalMs })
    const landed = await look()
    if (landed !== undefined) return landed
    return isFinal(code) ? expired(`The ledger does not take it any more: ${code}.`) : unknown()
  }
  await client.pollTransaction(hash, {
    attempts: looks.attempts,
    sleepStrategy: () => looks.pollIntervalMs,
  })
  return (await look()) ?? unknown()
}

/** What the ledger has of it; undefined when it has nothing. */
async function readOutcome(
  { client, network }: TransferContext,
  hash: string,
  expected: ExpectedTransaction,
): Promise<Outcome | undefined> {
  const landed = await client.getTransaction(hash)
  if (landed.status === 'FAILED') return failed(`The transaction ${hash} failed on the ledger.`)
  if (landed.status !== 'SUCCESS') return undefined
  return movedUsdc(landed, { expected, network })
    ? { status: 'settled' }
    : failed(`The transaction ${hash} landed and did not pay.`)
}

/** Inspects what the customer signed, co-signs it, hands the result to `onSigned`, sends it, follows it to its end. */
export async function settleTransfer(
  context: TransferContext,
  transfer: Parameters<TransferChain['settle']>[0],
): Promise<Outcome> {
  const { client, environment, now, sponsors } = context
  const { transaction, onSigned } = transfer
  const facts = parseFacts(transfer.facts)
  const sponsor = sponsors.get(facts.expected.sponsor ?? '')
  if (sponsor === undefined)
    return expired('The account that was to pay the fee is not this service’s any more.')
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

/** Why what came back is not settled; undefined when it may be. */
async function findRefusal(
  context: TransferContext,
  transaction: string,
  facts: Facts,
): Promise<Outcome | undefined> {
  const { sequence } = await context.client.getLatestLedger()
  const { findings } = inspectTransfer(context, transaction, facts, sequence)
  const dangers = findings.filter(({ severity }) => severity === 'danger')
  if (dangers.some(({ code }) => code === 'EXPIRED'))
    return expired('Its time bounds are over: the transaction can never land.')
  const [danger] = dangers
  if (danger?.code === 'FOREIGN_SIGNATURE' || !isSigned(context, transaction, facts)) {
    const words = `The transaction does not carry the signature of ${facts.expected.from} alone. Let the customer sign this very transaction, for ${context.network.name}.`
    return { status: 'refused', problem: problem('INVALID_USDC_AUTHORIZATION', words) }
  }
  if (danger === undefined) return undefined
  const words = dangers.map(({ message }) => message).join(' ')
  return { status: 'refused', problem: problem('INTENT_MISMATCH', words) }
}

/** Whether the customer has signed: the authorization of a call, or else the envelope. */
function isSigned(context: TransferContext, transaction: string, facts: Facts): boolean {
  const { network } = context
  const { from } = facts.expected
  const { authorizations = [], operations = [] } = inspectTransfer(context, transaction, facts).details ?? {}
  if (operations.some(({ call }) => call !== undefined))
    return authorizations.every((entry) => entry.address !== from || entry.isSigned)
  const digest = parseTransaction(transaction, network).transaction.hash()
  return findSignature(transaction, { network, digest, address: from }) !== undefined
}
