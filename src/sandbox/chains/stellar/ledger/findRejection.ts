import type { FeeBumpTransaction, Transaction, xdr as Xdr } from '@stellar/stellar-sdk'
import { Keypair, xdr } from '../../../../redeemkit/stellar/sdk.ts'
import { isSignedStrictly } from '../entries/isSignedStrictly.ts'
import {
  type AccountState,
  availableBalance,
  baseFee,
  createAccount,
  type LedgerState,
} from '../entries/state.ts'
import type { LedgerCore, PendingTransaction } from './ledgerCore.ts'
import { baseAddress, minSequenceOf, sorobanDataOf, transactionXdrOf } from './parseEnvelope.ts'
import { areResourcesInvalid, resourceFee } from './resources.ts'
import type { OperationOutcome } from './sponsorship.ts'

/** The network's error result for an invalid transaction; undefined if it is valid. */
export function findErrorResult(
  { state }: LedgerCore,
  { transaction, bump }: PendingTransaction,
  closing: Closing,
): Xdr.TransactionResult | undefined {
  const bumpRejection = bump && findFeeBumpRejection(state, bump)
  if (bumpRejection !== undefined) return rejectedResult(bumpRejection)
  const rejection = findRejection(state, transaction, { closing, isInner: bump !== undefined })
  if (rejection === undefined) return undefined
  return bump === undefined ? rejectedResult(rejection) : innerRejectedResult(rejection, transaction.hash())
}

type RejectionCode =
  | 'txMissingOperation'
  | 'txMalformed'
  | 'txTooEarly'
  | 'txTooLate'
  | 'txSorobanInvalid'
  | 'txInsufficientFee'
  | 'txNoAccount'
  | 'txBadSeq'
  | 'txBadAuth'
  | 'txInsufficientBalance'
  | 'txBadAuthExtra'
export type Rejection = { code: RejectionCode } | { code: 'txFailed'; results: Xdr.OperationResult[] }

/** The ledger that would include a transaction, and its close time in unix seconds. */
export type Closing = { sequence: number; closedAt: number }

type Options = { closing: Closing; isInner: boolean }

/** Returns why the ledger rejects a transaction; undefined if it is valid. */
function findRejection(
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

function findFeeBumpRejection(state: LedgerState, bump: FeeBumpTransaction): Rejection | undefined {
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

/** Requires 1 to 100 operations, and resources only for a contract call. */
function findMalformed(transaction: Transaction): RejectionCode | undefined {
  const { operations } = transaction
  if (operations.length === 0) return 'txMissingOperation'
  if (operations.length > 100) return 'txMalformed'
  const hasResources = sorobanDataOf(transaction) !== undefined
  return hasResources && !isCall(transaction) ? 'txMalformed' : undefined
}

/** A contract call must be the only operation, with valid resources and a resource fee that covers them. */
function findInvalidCall(transaction: Transaction): RejectionCode | undefined {
  if (!isCall(transaction)) return undefined
  const soroban = sorobanDataOf(transaction)
  // The authorization of a call does not cover a memo.
  if (soroban === undefined || transaction.operations.length !== 1 || transaction.memo.type !== 'none')
    return 'txSorobanInvalid'
  const bytes = transaction.toEnvelope().toXDR().length
  const declared = soroban.resourceFee().toBigInt()
  const isInvalid =
    areResourcesInvalid(soroban.resources(), bytes) ||
    declared < resourceFee(soroban.resources(), bytes) ||
    declared > BigInt(transaction.fee)
  return isInvalid ? 'txSorobanInvalid' : undefined
}

function isCall(transaction: Transaction): boolean {
  return transaction.operations.some(({ type }) => type === 'invokeHostFunction')
}

/** Checks time bounds and ledger bounds; `maxLedger` is exclusive. */
function findUntimely(transaction: Transaction, { sequence, closedAt }: Closing): RejectionCode | undefined {
  const { minTime, maxTime } = transaction.timeBounds ?? { minTime: '0', maxTime: '0' }
  const { minLedger, maxLedger } = transaction.ledgerBounds ?? { minLedger: 0, maxLedger: 0 }
  const closing = BigInt(closedAt)
  if (BigInt(minTime) > closing || minLedger > sequence) return 'txTooEarly'
  const isOver = (maxTime !== '0' && BigInt(maxTime) < closing) || (maxLedger !== 0 && maxLedger <= sequence)
  return isOver ? 'txTooLate' : undefined
}

/** Besides its resource fee, a transaction must pay for every operation, unless a fee bump pays. */
function findUnpaid(transaction: Transaction, { isInner }: Options): RejectionCode | undefined {
  if (isInner) return undefined
  const offered = BigInt(transaction.fee) - (sorobanDataOf(transaction)?.resourceFee().toBigInt() ?? 0n)
  return offered < baseFee * BigInt(transaction.operations.length) ? 'txInsufficientFee' : undefined
}

/** Checks that the source exists, has the expected sequence number, can pay, and that all required signatures are present. */
function findUnauthorized(
  state: LedgerState,
  transaction: Transaction,
  { closing, isInner }: Options,
): Rejection | undefined {
  const v1 = transactionXdrOf(transaction)
  const source = state.accounts.get(baseAddress(v1.sourceAccount()))
  if (source === undefined) return { code: 'txNoAccount' }
  if (!isNext(source, transaction, closing)) return { code: 'txBadSeq' }
  const checker = signatureChecker(transaction.signatures, transaction.hash())
  if (!checker.reaches(source, source.thresholds.low)) return { code: 'txBadAuth' }
  if (!isInner && availableBalance(source) < BigInt(transaction.fee)) return { code: 'txInsufficientBalance' }
  const outcomes = v1.operations().map((op) => checkOperationSource(op, source.address, state, checker))
  if (outcomes.some((outcome) => !outcome.ok))
    return { code: 'txFailed', results: outcomes.map(({ result }) => result) }
  return checker.allUsed() ? undefined : { code: 'txBadAuthExtra' }
}

function isNext({ sequence }: AccountState, transaction: Transaction, closing: Closing): boolean {
  const next = BigInt(transaction.sequence)
  const minSequence = minSequenceOf(transaction)
  // The initial sequence number of an account created in this ledger.
  if (next === BigInt(closing.sequence) << 32n) return false
  return minSequence === undefined ? next === sequence + 1n : sequence >= minSequence && sequence < next
}

/** Whether an operation's source has signed it. If an earlier operation may create the account, its master key must sign. */
function checkOperationSource(
  operation: Xdr.Operation,
  source: string,
  state: LedgerState,
  checker: SignatureChecker,
): OperationOutcome {
  const muxed = operation.sourceAccount()
  const address = muxed ? baseAddress(muxed) : source
  const account = state.accounts.get(address) ?? createAccount(address, 0n, 0n)
  const ok = checker.reaches(account, account.thresholds[thresholdOf(operation)])
  return { ok, result: xdr.OperationResult.opBadAuth() }
}

function thresholdOf(operation: Xdr.Operation): 'medium' | 'high' {
  if (operation.body().switch().name !== 'setOptions') return 'medium'
  const options = operation.body().setOptionsOp()
  const isHigh = [
    options.masterWeight(),
    options.lowThreshold(),
    options.medThreshold(),
    options.highThreshold(),
    options.signer(),
  ].some((value) => value !== null && value !== undefined)
  return isHigh ? 'high' : 'medium'
}

export function rejectedResult(rejection: Rejection): Xdr.TransactionResult {
  return transactionResult(
    0n,
    rejection.code === 'txFailed'
      ? xdr.TransactionResultResult.txFailed(rejection.results)
      : xdr.TransactionResultResult[rejection.code](),
  )
}

/** The result of a rejected transaction inside a fee bump. */
function innerRejectedResult(rejection: Rejection, hash: Buffer): Xdr.TransactionResult {
  const inner =
    rejection.code === 'txFailed'
      ? xdr.InnerTransactionResultResult.txFailed(rejection.results)
      : xdr.InnerTransactionResultResult[rejection.code]()
  return transactionResult(0n, xdr.TransactionResultResult.txFeeBumpInnerFailed(innerPair(inner, hash)))
}

/** The result of an applied transaction; `innerHash` for one inside a fee bump. */
export function appliedResult(
  { code, results }: { code: 'txSuccess' | 'txFailed' | 'txBadSponsorship'; results: Xdr.OperationResult[] },
  innerHash: Buffer | undefined,
): Xdr.TransactionResultResult {
  if (innerHash === undefined)
    return code === 'txBadSponsorship'
      ? xdr.TransactionResultResult.txBadSponsorship()
      : xdr.TransactionResultResult[code](results)
  const inner =
    code === 'txBadSponsorship'
      ? xdr.InnerTransactionResultResult.txBadSponsorship()
      : xdr.InnerTransactionResultResult[code](results)
  return code === 'txSuccess'
    ? xdr.TransactionResultResult.txFeeBumpInnerSuccess(innerPair(inner, innerHash))
    : xdr.TransactionResultResult.txFeeBumpInnerFailed(innerPair(inner, innerHash))
}

function innerPair(result: Xdr.InnerTransactionResultResult, hash: Buffer): Xdr.InnerTransactionResultPair {
  return new xdr.InnerTransactionResultPair({
    transactionHash: hash,
    result: new xdr.InnerTransactionResult({
      feeCharged: new xdr.Int64(0n),
      result,
      ext: new xdr.InnerTransactionResultExt(0),
    }),
  })
}

export function transactionResult(
  feeCharged: bigint,
  result: Xdr.TransactionResultResult,
): Xdr.TransactionResult {
  return new xdr.TransactionResult({
    feeCharged: new xdr.Int64(feeCharged),
    result,
    ext: new xdr.TransactionResultExt(0),
  })
}

/** Counts the weight of an envelope's signatures for accounts, and remembers which were used. */
type SignatureChecker = {
  /** Whether the signatures reach the threshold. At least one must count, even for threshold 0. */
  reaches: (account: AccountState, threshold: number) => boolean
  allUsed: () => boolean
}

function signatureChecker(signatures: readonly Xdr.DecoratedSignature[], digest: Buffer): SignatureChecker {
  const used = new Set<number>()
  return {
    reaches(account, threshold) {
      const weights = new Map(account.signers)
      if (account.masterWeight > 0) weights.set(account.address, account.masterWeight)
      let total = 0
      for (const [index, decorated] of signatures.entries()) {
        for (const [address, weight] of weights) {
          const signer = Keypair.fromPublicKey(address)
          if (!signer.signatureHint().equals(decorated.hint())) continue
          if (!isSignedStrictly(address, digest, decorated.signature())) continue
          used.add(index)
          weights.delete(address)
          total += weight
          if (total >= threshold) return true
          break
        }
      }
      return false
    },
    allUsed: () => used.size === signatures.length,
  }
}
