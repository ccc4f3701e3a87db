import type { FeeBumpTransaction, Transaction, xdr } from '@stellar/stellar-sdk'
import { type AccountState, availableBalance, baseFee, type LedgerState } from '../entries/state.ts'
import { baseAddress } from './baseAddress.ts'
import { checkOperationSource } from './checkOperationSource.ts'
import { preconditionsOf, sorobanDataOf, transactionXdrOf } from './parseEnvelope.ts'
import { areResourcesInvalid, nonRefundableFee } from './resources.ts'
import { signatureChecker } from './signatureChecker.ts'

/** The reasons for which the ledger does not take a transaction. */
type RejectionCode =
  | 'txMissingOperation'
  | 'txMalformed'
  | 'txTooEarly'
  | 'txTooLate'
  | 'txSorobanInvalid'
  | 'txInsufficientFee'
  | 'txNoAccount'
  | 'txBadSeq'
  | 'txBadMinSeqAgeOrGap'
  | 'txBadAuth'
  | 'txInsufficientBalance'
  | 'txBadAuthExtra'
export type Rejection = { code: RejectionCode } | { code: 'txFailed'; results: xdr.OperationResult[] }

/** The ledger that a transaction is to get into, and when it closes, in unix seconds. */
export type Closing = { sequence: number; closedAt: number }

type Options = { closing: Closing; isInner: boolean }

/** Everything that keeps a transaction off the ledger; undefined when nothing does. */
export function findRejection(
  state: LedgerState,
  transaction: Transaction,
  options: Options,
): Rejection | undefined {
  const code =
    findMalformed(transaction) ??
    findInvalidCall(transaction) ??
    findUntimely(transaction, options.closing) ??
    findUnpaid(transaction, options)
  return code === undefined ? findUnauthorized(state, transaction, options) : { code }
}

/** Everything that keeps a fee bump off the ledger; what is wrong with the transaction inside is not for here. */
export function findFeeBumpRejection(state: LedgerState, bump: FeeBumpTransaction): Rejection | undefined {
  const inner = bump.innerTransaction
  const count = BigInt(inner.operations.length)
  const resources = sorobanDataOf(inner)?.resourceFee().toBigInt() ?? 0n
  const [offered, innerFee] = [BigInt(bump.fee) - resources, BigInt(inner.fee) - resources]
  if (offered < baseFee * (count + 1n) || offered * count < innerFee * (count + 1n))
    return { code: 'txInsufficientFee' }
  const payer = state.accounts.get(baseAddress(bump.toEnvelope().feeBump().tx().feeSource()))
  if (payer === undefined) return { code: 'txNoAccount' }
  const checker = signatureChecker(bump.signatures, bump.hash())
  if (!checker.reaches(payer, payer.thresholds.low)) return { code: 'txBadAuth' }
  if (!checker.allUsed()) return { code: 'txBadAuthExtra' }
  return availableBalance(payer) < BigInt(bump.fee) ? { code: 'txInsufficientBalance' } : undefined
}

/** One to 100 operations; resources only for a contract call; at most two extra signers, and no two the same (CAP-21). */
function findMalformed(transaction: Transaction): RejectionCode | undefined {
  const { operations } = transaction
  if (operations.length === 0) return 'txMissingOperation'
  if (operations.length > 100) return 'txMalformed'
  const extra = preconditionsOf(transaction).extraSigners.map((key) => key.toXDR('base64'))
  if (new Set(extra).size !== extra.length) return 'txMalformed'
  const hasResources = sorobanDataOf(transaction) !== undefined
  return hasResources && !isCall(transaction) ? 'txMalformed' : undefined
}

/** A contract call stands alone, with resources that there can be, and a resource fee within the fee that covers them. */
function findInvalidCall(transaction: Transaction): RejectionCode | undefined {
  if (!isCall(transaction)) return undefined
  const soroban = sorobanDataOf(transaction)
  // Whoever authorizes the call inside would not have signed the memo.
  if (soroban === undefined || transaction.operations.length !== 1 || transaction.memo.type !== 'none')
    return 'txSorobanInvalid'
  const bytes = transaction.toEnvelope().toXDR().length
  const declared = soroban.resourceFee().toBigInt()
  const isInvalid =
    areResourcesInvalid(soroban.resources(), bytes) ||
    declared < nonRefundableFee(soroban.resources(), bytes) ||
    declared > BigInt(transaction.fee)
  return isInvalid ? 'txSorobanInvalid' : undefined
}

function isCall(transaction: Transaction): boolean {
  return transaction.operations.some(({ type }) => type === 'invokeHostFunction')
}

/** Time bounds and ledger bounds; the last ledger is the first that is too late. */
function findUntimely(transaction: Transaction, { sequence, closedAt }: Closing): RejectionCode | undefined {
  const { minTime, maxTime } = transaction.timeBounds ?? { minTime: '0', maxTime: '0' }
  const { minLedger, maxLedger } = transaction.ledgerBounds ?? { minLedger: 0, maxLedger: 0 }
  const closing = BigInt(closedAt)
  if (BigInt(minTime) > closing || minLedger > sequence) return 'txTooEarly'
  const isOver = (maxTime !== '0' && BigInt(maxTime) < closing) || (maxLedger !== 0 && maxLedger <= sequence)
  return isOver ? 'txTooLate' : undefined
}

/** Beside its resources, a transaction pays for every operation; inside of a fee bump that does. */
function findUnpaid(transaction: Transaction, { isInner }: Options): RejectionCode | undefined {
  if (isInner) return undefined
  const offered = BigInt(transaction.fee) - (sorobanDataOf(transaction)?.resourceFee().toBigInt() ?? 0n)
  return offered < baseFee * BigInt(transaction.operations.length) ? 'txInsufficientFee' : undefined
}

/** The source exists, is at this sequence number, can pay, and everybody has signed who must. */
function findUnauthorized(
  state: LedgerState,
  transaction: Transaction,
  { closing, isInner }: Options,
): Rejection | undefined {
  const v1 = transactionXdrOf(transaction)
  const source = state.accounts.get(baseAddress(v1.sourceAccount()))
  if (source === undefined) return { code: 'txNoAccount' }
  const order = findOutOfOrder(source, transaction, closing)
  if (order !== undefined) return { code: order }
  const checker = signatureChecker(transaction.signatures, transaction.hash())
  if (!checker.reaches(source, source.thresholds.low)) return { code: 'txBadAuth' }
  if (!preconditionsOf(transaction).extraSigners.every(checker.isSignedBy)) return { code: 'txBadAuth' }
  if (!isInner && availableBalance(source) < BigInt(transaction.fee)) return { code: 'txInsufficientBalance' }
  const outcomes = v1.operations().map((op) => checkOperationSource(op, source.address, state, checker))
  if (outcomes.some((outcome) => !outcome.ok))
    return { code: 'txFailed', results: outcomes.map(({ result }) => result) }
  return checker.allUsed() ? undefined : { code: 'txBadAuthExtra' }
}

/** The sequence number: the next, or with a minimum any later one; and how old the last has to be (CAP-21). */
function findOutOfOrder(
  source: AccountState,
  transaction: Transaction,
  { sequence, closedAt }: Closing,
): RejectionCode | undefined {
  const next = BigInt(transaction.sequence)
  const { minSequence, minAge, minGap } = preconditionsOf(transaction)
  const isNext =
    minSequence === undefined
      ? next === source.sequence + 1n
      : source.sequence >= minSequence && source.sequence < next
  // Where the sequence numbers of an account that is created in this ledger begin.
  if (!isNext || next === BigInt(sequence) << 32n) return 'txBadSeq'
  const isYoung = BigInt(closedAt - source.sequenceTime) < minAge || sequence - source.sequenceLedger < minGap
  return isYoung ? 'txBadMinSeqAgeOrGap' : undefined
}
