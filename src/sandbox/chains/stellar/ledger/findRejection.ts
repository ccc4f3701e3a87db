import type { FeeBumpTransaction, Transaction, xdr as Xdr } from '@stellar/stellar-sdk'
import { Keypair, xdr } from '../../../../redeemkit/stellar/sdk.ts'
import type { OperationOutcome } from './applyOperation.ts'
import { isSignedStrictly } from './authorizer.ts'
import type { LedgerCore, PendingTransaction } from './ledgerCore.ts'
import { baseAddress, sorobanDataOf, transactionXdrOf } from './parseEnvelope.ts'
import { areResourcesInvalid, resourceFee } from './resources.ts'
import { type AccountState, availableBalance, baseFee, type LedgerState } from './state.ts'

/** Returns the network's error result for an invalid transaction; undefined if it is valid. */
export function findErrorResult(
  { state }: LedgerCore,
  { transaction, bump }: PendingTransaction,
  closing: Closing,
): Xdr.TransactionResult | undefined {
  const bumpRejection = bump && findFeeBumpRejection(state, bump)
  if (bumpRejection !== undefined) return transactionResult(bumpRejection)
  const rejection = findRejection(state, transaction, { closing, isInner: bump !== undefined })
  return rejection && transactionResult(rejection, { innerHash: bump && transaction.hash() })
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
type Rejection = { code: RejectionCode } | { code: 'txFailed'; results: Xdr.OperationResult[] }

/** The ledger that would include a transaction: its sequence number, and its close time in unix seconds. */
export type Closing = { sequence: number; closedAt: number }

type Options = { closing: Closing; isInner: boolean }

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
  if (!checker.isSignedBy(payer.address)) return { code: 'txBadAuth' }
  if (!checker.allUsed()) return { code: 'txBadAuthExtra' }
  return availableBalance(payer) < BigInt(bump.fee) ? { code: 'txInsufficientBalance' } : undefined
}

/** Requires that the transaction has 1 to 100 operations, and resources only for a contract call. */
function findMalformed(transaction: Transaction): RejectionCode | undefined {
  const { operations } = transaction
  if (operations.length === 0) return 'txMissingOperation'
  if (operations.length > 100) return 'txMalformed'
  const hasResources = sorobanDataOf(transaction) !== undefined
  return hasResources && !isCall(transaction) ? 'txMalformed' : undefined
}

/** Requires that a contract call is the only operation, its resources are valid, and its resource fee covers them. */
function findInvalidCall(transaction: Transaction): RejectionCode | undefined {
  if (!isCall(transaction)) return undefined
  const soroban = sorobanDataOf(transaction)
  // A call's authorization does not cover a memo.
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

function findUntimely(transaction: Transaction, { closedAt }: Closing): RejectionCode | undefined {
  const { minTime, maxTime } = transaction.timeBounds ?? { minTime: '0', maxTime: '0' }
  const closing = BigInt(closedAt)
  if (BigInt(minTime) > closing) return 'txTooEarly'
  return maxTime !== '0' && BigInt(maxTime) < closing ? 'txTooLate' : undefined
}

/** Requires that the fee covers the resource fee and every operation, or a fee bump pays. */
function findUnpaid(transaction: Transaction, { isInner }: Options): RejectionCode | undefined {
  if (isInner) return undefined
  const offered = BigInt(transaction.fee) - (sorobanDataOf(transaction)?.resourceFee().toBigInt() ?? 0n)
  return offered < baseFee * BigInt(transaction.operations.length) ? 'txInsufficientFee' : undefined
}

/** Requires an existing source that has the expected sequence number and can pay, and exactly the required signatures. */
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
  if (!checker.isSignedBy(source.address)) return { code: 'txBadAuth' }
  if (!isInner && availableBalance(source) < BigInt(transaction.fee)) return { code: 'txInsufficientBalance' }
  const outcomes = v1.operations().map((op) => checkOperationSource(op, source.address, checker))
  if (outcomes.some((outcome) => !outcome.ok))
    return { code: 'txFailed', results: outcomes.map(({ result }) => result) }
  return checker.allUsed() ? undefined : { code: 'txBadAuthExtra' }
}

function isNext({ sequence }: AccountState, transaction: Transaction, closing: Closing): boolean {
  const next = BigInt(transaction.sequence)
  // stellar-core rejects the initial sequence number of an account created in this ledger.
  if (next === BigInt(closing.sequence) << 32n) return false
  return next === sequence + 1n
}

/** Whether an operation's source account has signed the transaction. An earlier operation may create that account. */
function checkOperationSource(
  operation: Xdr.Operation,
  source: string,
  checker: SignatureChecker,
): OperationOutcome {
  const muxed = operation.sourceAccount()
  const ok = checker.isSignedBy(muxed ? baseAddress(muxed) : source)
  return { ok, result: xdr.OperationResult.opBadAuth() }
}

type Outcome =
  | Rejection
  | { code: 'txSuccess'; results: Xdr.OperationResult[] }
  | { code: 'txBadSponsorship' }

/** With `innerHash`, the outcome is that of a transaction inside a fee bump. */
export function transactionResult(
  outcome: Outcome,
  { feeCharged = 0n, innerHash }: { feeCharged?: bigint; innerHash?: Buffer | undefined } = {},
): Xdr.TransactionResult {
  const { code } = outcome
  // Both unions have a constructor for each code. Only those of `txSuccess` and `txFailed` take the operations' results.
  const values: ArrayLike<unknown> =
    outcome.code === 'txSuccess' || outcome.code === 'txFailed' ? [outcome.results] : []
  const build = (union: object) => Reflect.apply(Reflect.get(union, code), union, values)
  const inner =
    innerHash &&
    new xdr.InnerTransactionResultPair({
      transactionHash: innerHash,
      result: new xdr.InnerTransactionResult({
        feeCharged: new xdr.Int64(0n),
        result: build(xdr.InnerTransactionResultResult),
        ext: new xdr.InnerTransactionResultExt(0),
      }),
    })
  const bumped = code === 'txSuccess' ? 'txFeeBumpInnerSuccess' : 'txFeeBumpInnerFailed'
  return new xdr.TransactionResult({
    feeCharged: new xdr.Int64(feeCharged),
    result: inner ? xdr.TransactionResultResult[bumped](inner) : build(xdr.TransactionResultResult),
    ext: new xdr.TransactionResultExt(0),
  })
}

/** Finds accounts' signatures on an envelope, and records which ones were used. */
type SignatureChecker = {
  isSignedBy: (address: string) => boolean
  allUsed: () => boolean
}

function signatureChecker(signatures: readonly Xdr.DecoratedSignature[], digest: Buffer): SignatureChecker {
  const used = new Set<Xdr.DecoratedSignature>()
  return {
    isSignedBy(address) {
      const hint = Keypair.fromPublicKey(address).signatureHint()
      const own = signatures.find(
        (one) => hint.equals(one.hint()) && isSignedStrictly(address, digest, one.signature()),
      )
      if (own !== undefined) used.add(own)
      return own !== undefined
    },
    allUsed: () => used.size === signatures.length,
  }
}
