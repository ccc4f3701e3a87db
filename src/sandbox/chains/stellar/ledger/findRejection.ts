import { type FeeBumpTransaction, type Transaction, xdr } from '@stellar/stellar-sdk'
import { availableBalance, baseFee, type LedgerState } from '../entries/state.ts'
import { baseAddress, type OperationOutcome, thresholdOf } from './applyOperation.ts'
import { type LedgerCore, nextCloseTime, resourceFee } from './ledgerCore.ts'
import { sorobanDataOf, transactionXdrOf } from './parseEnvelope.ts'
import { type SignatureChecker, signatureChecker } from './signatureChecker.ts'

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
  | 'txNotSupported'
  | 'txBadAuth'
  | 'txInsufficientBalance'
  | 'txBadAuthExtra'
export type Rejection = { code: RejectionCode } | { code: 'txFailed'; results: xdr.OperationResult[] }

/** Everything that keeps a transaction off the ledger; undefined when nothing does. */
export function findRejection(
  core: LedgerCore,
  transaction: Transaction,
  options: { isInner: boolean },
): Rejection | undefined {
  const code =
    findMalformed(transaction) ?? findUntimely(core, transaction) ?? findUnpaid(transaction, options)
  return code === undefined ? findUnauthorized(core, transaction, options) : { code }
}

/** Everything that keeps a fee bump off the ledger; `inner` when that is the transaction inside. */
export function findFeeBumpRejection(
  core: LedgerCore,
  bump: FeeBumpTransaction,
): Rejection | 'inner' | undefined {
  const inner = bump.innerTransaction
  const count = BigInt(inner.operations.length)
  const resources = sorobanDataOf(inner)?.resourceFee().toBigInt() ?? 0n
  const [offered, innerFee] = [BigInt(bump.fee) - resources, BigInt(inner.fee) - resources]
  if (offered < baseFee * (count + 1n) || offered * count < innerFee * (count + 1n))
    return { code: 'txInsufficientFee' }
  const payer = core.state.accounts.get(baseAddress(bump.toEnvelope().feeBump().tx().feeSource()))
  if (payer === undefined) return { code: 'txNoAccount' }
  const checker = signatureChecker(bump.signatures, bump.hash())
  if (!checker.reaches(payer, payer.thresholds.low)) return { code: 'txBadAuth' }
  if (!checker.allUsed()) return { code: 'txBadAuthExtra' }
  if (availableBalance(payer) < BigInt(bump.fee)) return { code: 'txInsufficientBalance' }
  return findRejection(core, inner, { isInner: true }) === undefined ? undefined : 'inner'
}

/** One to 100 operations; a contract call alone, with its resources and without a memo; no condition but time bounds. */
function findMalformed(transaction: Transaction): RejectionCode | undefined {
  const v1 = transactionXdrOf(transaction)
  const operations = v1.operations()
  if (operations.length === 0) return 'txMissingOperation'
  if (operations.length > 100) return 'txMalformed'
  if (v1.cond().switch().name === 'precondV2') return 'txNotSupported'
  const isContractCall = operations.some((op) => op.body().switch().name === 'invokeHostFunction')
  const hasResources = sorobanDataOf(transaction) !== undefined
  if (isContractCall !== hasResources || (isContractCall && operations.length !== 1))
    return isContractCall ? 'txSorobanInvalid' : 'txMalformed'
  // Whoever authorizes the call inside would not have signed the memo.
  return isContractCall && transaction.memo.type !== 'none' ? 'txSorobanInvalid' : undefined
}

function findUntimely(core: LedgerCore, { timeBounds }: Transaction): RejectionCode | undefined {
  const closing = BigInt(nextCloseTime(core))
  const { minTime, maxTime } = timeBounds ?? { minTime: '0', maxTime: '0' }
  if (BigInt(minTime) > closing) return 'txTooEarly'
  return maxTime !== '0' && BigInt(maxTime) < closing ? 'txTooLate' : undefined
}

/** The fee covers the declared resources, these what is touched, and the rest every operation. */
function findUnpaid(transaction: Transaction, { isInner }: { isInner: boolean }): RejectionCode | undefined {
  const soroban = sorobanDataOf(transaction)
  const fee = BigInt(transaction.fee)
  const declared = soroban?.resourceFee().toBigInt() ?? 0n
  if (soroban !== undefined && (declared < resourceFee(soroban.resources().footprint()) || declared > fee))
    return 'txSorobanInvalid'
  return !isInner && fee - declared < baseFee * BigInt(transaction.operations.length)
    ? 'txInsufficientFee'
    : undefined
}

/** The source exists, is at this sequence number, can pay, and everybody has signed who must. */
function findUnauthorized(
  { state }: LedgerCore,
  transaction: Transaction,
  { isInner }: { isInner: boolean },
): Rejection | undefined {
  const v1 = transactionXdrOf(transaction)
  const source = state.accounts.get(baseAddress(v1.sourceAccount()))
  if (source === undefined) return { code: 'txNoAccount' }
  if (BigInt(transaction.sequence) !== source.sequence + 1n) return { code: 'txBadSeq' }
  const checker = signatureChecker(transaction.signatures, transaction.hash())
  if (!checker.reaches(source, source.thresholds.low)) return { code: 'txBadAuth' }
  if (!isInner && availableBalance(source) < BigInt(transaction.fee)) return { code: 'txInsufficientBalance' }
  const outcomes = v1.operations().map((op) => checkOperationSource(op, source.address, state, checker))
  if (outcomes.some((outcome) => !outcome.ok))
    return { code: 'txFailed', results: outcomes.map(({ result }) => result) }
  return checker.allUsed() ? undefined : { code: 'txBadAuthExtra' }
}

function checkOperationSource(
  operation: xdr.Operation,
  source: string,
  state: LedgerState,
  checker: SignatureChecker,
): OperationOutcome {
  const muxed = operation.sourceAccount()
  const account = state.accounts.get(muxed ? baseAddress(muxed) : source)
  if (account === undefined) return { ok: false, result: xdr.OperationResult.opNoAccount() }
  const ok = checker.reaches(account, account.thresholds[thresholdOf(operation)])
  return { ok, result: xdr.OperationResult.opBadAuth() }
}
