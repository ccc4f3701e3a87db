import type { BaseError } from '../errors/baseError.ts'
import { type WalletVerdict, walletVerdict } from '../errors/walletVerdict.ts'
import { english, type UserMessageKey } from './userMessages.ts'
import { firstOfOurs, verificationLinkOf } from './verificationLinkOf.ts'

/** Every value has a message (PROTOCOL.md 7.7). `isPayment` is `false` for another request to the wallet, such as a sign-in. */
export function messageKey(error: unknown, { isPayment }: { isPayment: boolean }): UserMessageKey {
  const key = keyOf(error)
  const other = `${key}.other`
  return !isPayment && Object.hasOwn(english, other) ? (other as UserMessageKey) : key // `hasOwn` found it
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
  if (name === 'AlreadyRedeemedError' && facts.paidBy !== undefined) return `${name}.account`
  if (name === 'OrderUsedError' && facts.paid === facts.expected) return `${name}.receiver`
  if (name === 'PartlySignedError') return partlySignedKey(facts.cause)
  // after the first signature, `signRedeem` wraps the rejection in another one
  if (name === 'UserRejectedError' && firstOfOurs(facts.cause)?.name === name)
    return 'PartlySignedError.rejected'
  if (name === 'WalletFailedError' && facts.isWindowBlocked === true) return `${name}.window`
  if (name === 'OutcomeUnknownError' || name === 'RedeemTimeoutError') return openKey(name, facts.cause)
  if (name === 'AccountChangedError' && facts.isDisconnected === true) return `${name}.disconnected`
  if (name === 'RequestAbortedError' && remedy === 'lookUp') return `${name}.lookUp`
  if (name === 'RateLimitedError' && facts.retryAfterMs !== undefined) return `${name}.wait`
  // the page chose the node of another chain; the user cannot switch it
  if (name === 'WrongNetworkError' && ofTheNode.has(ours.field)) return 'page'
  // the node responded, and the pinned address has no credits contract; in an outage, `field` is the option with the node
  if (name === 'ChainReadError' && ours.field === 'creditsContract') return 'page'
  // the code that reads the chain is missing: a reload may help, waiting does not
  if (name === 'ChainReadError' && firstOfOurs(ours.cause)?.name === 'ModuleLoadError')
    return 'ModuleLoadError'
  if (name === 'VerificationRequiredError' && verificationLinkOf(facts) !== undefined) return `${name}.link`
  const same = Object.hasOwn(sameAs, name) ? sameAs[name] : undefined
  if (same !== undefined) return same
  if (Object.hasOwn(english, name)) return name as UserMessageKey // `hasOwn` found it
  if (remedy === 'lookUp') return 'OutcomeUnknownError'
  if (facts.findings !== undefined) return 'PreparedMismatchError'
  return 'page'
}

/** The failure came after the first signature: in the second prompt, or in a network request. */
function partlySignedKey(cause: unknown): UserMessageKey {
  const key = keyOf(cause)
  if (unreachable.has(key)) return 'PartlySignedError.network'
  return ofWallet.has(key) ? key : 'PartlySignedError'
}

/** The payment was submitted and may still go through. */
function openKey(name: 'OutcomeUnknownError' | 'RedeemTimeoutError', cause: unknown): UserMessageKey {
  const key = keyOf(cause)
  if (unreachable.has(key)) return 'OutcomeUnknownError.network'
  // the chain was read, and shows which payment used the order
  if (key === 'AlreadyRedeemedError' || key === 'OrderUsedError' || key === 'OrderUsedError.receiver')
    return key
  if (key === 'OrderAlreadyPaidError') return 'OutcomeUnknownError.paid'
  if (key === 'OrderUnderwayError') return 'OutcomeUnknownError.underway'
  if (key === 'VerificationRequiredError.link') return 'OutcomeUnknownError.link'
  const refusal: Partial<Facts> = firstOfOurs(cause) ?? {}
  // The message names `validBefore`, which OutcomeUnknownError always has and RedeemTimeoutError may lack.
  const isRefused = name === 'OutcomeUnknownError' && refusals.has(refusal.remedy)
  return isRefused ? 'OutcomeUnknownError.refused' : name
}

/** After any other remedy the client submits again. */
const refusals: ReadonlySet<unknown> = new Set(['fix', 'stop', 'show', 'prepareAgain', 'backOff'])

const unreachable: ReadonlySet<UserMessageKey> = new Set([
  'ServiceUnreachableError',
  'ChainReadError',
  'ModuleLoadError',
])

/** Wallet problems that the user must solve to continue. Their messages do not mention money. */
const ofWallet: ReadonlySet<UserMessageKey> = new Set([
  'ExpiredError',
  'UnsupportedSignerError',
  'WalletFailedError.window',
  'WalletNotConnectedError',
  'WalletRequestPendingError',
  'WrongNetworkError',
  'WrongSignatureError',
  'WrongSignerError',
])

/** Fields that an error may have. Each is checked before use. */
type Facts = BaseError & {
  readonly remedy?: unknown
  readonly asset?: unknown
  readonly paid?: unknown
  readonly paidBy?: unknown
  readonly expected?: unknown
  readonly retryAfterMs?: unknown
  readonly findings?: unknown
  readonly isWindowBlocked?: unknown
  readonly isDisconnected?: unknown
}

/** Errors about a node have one of these options as `field`. */
const ofTheNode: ReadonlySet<string | undefined> = new Set(['publicClient', 'dryRun', 'connection'])

const verdicts: Record<WalletVerdict, UserMessageKey> = {
  rejected: 'UserRejectedError',
  pending: 'WalletRequestPendingError',
  unconnected: 'WalletNotConnectedError',
  otherChain: 'WrongNetworkError',
  windowBlocked: 'WalletFailedError.window',
}

/** Errors that reuse another error's user message. */
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
  // invalid signature bytes come from the wallet
  InvalidSignatureError: 'WrongSignatureError',
  InvalidUsdcAuthorizationError: 'InvalidPermitError',
  InvalidWalletAnswerError: 'WrongSignatureError',
  MissingAccountError: 'MissingTokenAccountError',
  OwnerOffCurveError: 'UnsupportedSignerError',
  PermitExpiredError: 'ExpiredError',
  PlainTextNotAllowedError: 'InvalidAuthMessageError',
  ServiceUnavailableError: 'ServiceFailureError',
  SessionKeyError: 'UnauthenticatedError',
  SimulationUnavailableError: 'ChainReadError',
  SubmitUnknownError: 'OutcomeUnknownError',
  TooFarAheadError: 'NotYetValidError',
  TrustlineError: 'MissingTokenAccountError',
  RandomNonceError: 'PreparedMismatchError',
  UnknownNonceError: 'InvalidPermitError',
  UnknownServiceError: 'ServiceFailureError',
  V1NotPossibleError: 'UnsupportedSignerError',
  WrongWalletError: 'WrongSignerError',
}
