import { BaseError } from '../errors/baseError.ts'
import { type WalletVerdict, walletVerdict } from '../errors/walletVerdict.ts'
import { english } from './english.ts'
import type { UserMessageKey } from './userMessages.ts'

/**
 * Which sentence an error is told by: its facts decide (PROTOCOL.md 7.7). Total: whatever is thrown has one.
 *
 * @param isPayment whether a no in the wallet was a no to a payment
 */
export function messageKey(error: unknown, { isPayment }: { isPayment: boolean }): UserMessageKey {
  const key = keyOf(error)
  return key === 'UserRejectedError' && !isPayment ? 'UserRejectedError.other' : key
}

function keyOf(error: unknown): UserMessageKey {
  const ours = firstOfOurs(error)
  if (ours === undefined) {
    const verdict = walletVerdict(error)
    return verdict === undefined ? 'unknown' : verdicts[verdict]
  }
  const facts: Facts = ours
  const { name, remedy } = facts
  if (name === 'InsufficientFundsError') return `${name}.${facts.asset === 'usdc' ? 'usdc' : 'credits'}`
  if (name === 'PartlySignedError' && Object(facts.cause).name === 'UserRejectedError')
    return `${name}.rejected`
  if (name === 'RequestAbortedError' && remedy === 'lookUp') return `${name}.lookUp`
  if (name === 'RateLimitedError' && facts.retryAfterMs !== undefined) return `${name}.wait`
  if (name === 'VerificationRequiredError' && facts.verificationLink !== undefined) return `${name}.link`
  const same = Object.hasOwn(sameAs, name) ? sameAs[name] : undefined
  if (same !== undefined) return same
  if (Object.hasOwn(english, name)) return name as UserMessageKey // just found there
  if (remedy === 'lookUp') return 'OutcomeUnknownError'
  if (facts.findings !== undefined) return 'PreparedMismatchError'
  return 'page'
}

/** What errors of ours may carry. Each is looked at by its own class's name or by what it is; none is trusted to be there. */
type Facts = BaseError & {
  readonly remedy?: unknown
  readonly asset?: unknown
  readonly retryAfterMs?: unknown
  readonly verificationLink?: unknown
  readonly findings?: unknown
}

/** The error itself, or the first of its causes that is ours: frameworks wrap what they are thrown. */
export function firstOfOurs(error: unknown): BaseError | undefined {
  try {
    let at = error
    for (let depth = 0; depth < 16 && at instanceof Error; depth++) {
      if (at instanceof BaseError) return at
      at = at.cause
    }
  } catch {
    // an object that breaks while it is looked at is none of ours
  }
  return undefined
}

const verdicts: Record<WalletVerdict, UserMessageKey> = {
  rejected: 'UserRejectedError',
  pending: 'WalletRequestPendingError',
  unconnected: 'WalletNotConnectedError',
  otherChain: 'WrongNetworkError',
  windowBlocked: 'WalletFailedError.window',
}

/** Errors that a person is told the same of as of another one. */
export const sameAs: Readonly<Record<string, UserMessageKey>> = {
  AmbiguousIntentError: 'PurchaseMismatchError',
  AuthMessageExpiredError: 'ExpiredError',
  AuthMessageMismatchError: 'InvalidAuthMessageError',
  BlockhashExpiredError: 'RedeemExpiredError',
  ChangedByWalletError: 'WrongSignatureError',
  ContractCallFailedError: 'TransactionFailedError',
  ExpiredTransactionError: 'ExpiredError',
  FactoryNotAllowedError: 'UnsupportedSignerError',
  IntentMismatchError: 'PurchaseMismatchError',
  InvalidAnswerError: 'ServiceFailureError',
  InvalidAuthSignatureError: 'WrongSignatureError',
  InvalidClientDataError: 'WrongSignatureError',
  InvalidUsdcAuthorizationError: 'InvalidPermitError',
  InvalidWalletAnswerError: 'WrongSignatureError',
  MissingAccountError: 'MissingTokenAccountError',
  NonceCancelledError: 'PaymentStateError',
  OwnerOffCurveError: 'UnsupportedSignerError',
  PermitExpiredError: 'ExpiredError',
  PlainTextNotAllowedError: 'InvalidAuthMessageError',
  PurchaseStorageError: 'StoredRedeemError',
  ServiceUnavailableError: 'ServiceFailureError',
  SessionKeyError: 'UnauthenticatedError',
  SimulationUnavailableError: 'ChainReadError',
  SubmitUnknownError: 'OutcomeUnknownError',
  TooFarAheadError: 'NotYetValidError',
  TrustlineError: 'MissingTokenAccountError',
  UnboundPermitError: 'PreparedMismatchError',
  UnknownNonceError: 'InvalidPermitError',
  UnknownServiceError: 'ServiceFailureError',
  V1NotPossibleError: 'UnsupportedSignerError',
  WrongWalletError: 'WrongSignerError',
}
