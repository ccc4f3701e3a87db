import { buttonEnglish, fillIn } from './buttonEnglish.ts'

/** Text that contains every placeholder of another text. */
type Sentence<text> = text extends `${string}{${infer name}}${infer rest}`
  ? `${string}{${name}}${string}` & Sentence<rest>
  : string

/** Key of a message: the error's name or its name on the wire, with a suffix where one error has several messages. */
export type UserMessageKey = Exclude<keyof typeof english, 'locale'>

/**
 * All messages of a language, with the placeholders of the English ones, and the locale (BCP 47) for amounts and times. An object
 * that `satisfies UserMessages` is complete; missing messages fall back to English.
 */
export type UserMessages = {
  readonly [key in UserMessageKey]: Sentence<(typeof english)[key]>
} & { readonly locale: string }

export function speak(
  messages: Partial<UserMessages>,
  key: UserMessageKey,
  values: Readonly<Record<string, string>>,
): string {
  return fillIn(messages[key] ?? english[key], values)
}

/**
 * The English user messages: one or two sentences that a page can show unchanged. PROTOCOL.md 7.7: `You have not been charged.` only where
 * that is certain, `Please don't pay again.` where the payment may still go through.
 */
export const english = {
  locale: 'en-US',

  // The wallet
  UserRejectedError: 'You rejected the request in your wallet. You have not been charged.',
  'UserRejectedError.other': 'You rejected the request in your wallet.',
  PartlySignedError: 'Your wallet did not finish signing. You have not been charged.',
  'PartlySignedError.rejected': 'You rejected the second request in your wallet. You have not been charged.',
  'PartlySignedError.network':
    "We can't reach the network. You have not been charged. Check your connection and try again.",
  WalletFailedError:
    "Your wallet couldn't complete the request. Make sure it is open and unlocked, then try again.",
  'WalletFailedError.window':
    "Your browser blocked your wallet's window. Allow pop-ups for this site and try again.",
  WalletRequestPendingError: 'A request is already waiting in your wallet. Open your wallet to continue.',
  WalletNotConnectedError: 'Your wallet is not connected to this page. Connect it and try again.',
  WrongSignerError:
    'Your wallet is using a different account. Switch back to the account you started with and try again.',
  AccountChangedError: 'You switched accounts. You have not been charged.',
  'AccountChangedError.disconnected': 'You disconnected your wallet. You have not been charged.',
  WrongSignatureError: "We couldn't verify your wallet's response. Try again or use another wallet.",
  WrongNetworkError: 'Your wallet is on a different network. Switch networks and try again.',
  'WrongNetworkError.named': 'Your wallet is on a different network. Switch to {network} and try again.',
  UnsupportedSignerError: "This wallet isn't supported here. Use another wallet.",

  // Balances
  'InsufficientFundsError.credits':
    'You have {have} in credits, but this costs up to {need}. Add credits or choose another way to pay.',
  'InsufficientFundsError.usdc':
    'You have {have} in USDC, but this costs {need}. Add USDC or choose another way to pay.',
  InsufficientCreditsError: "You don't have enough credits. Add credits or choose another way to pay.",
  InsufficientUsdcError: "You don't have enough USDC. Add USDC or choose another way to pay.",
  MissingTokenAccountError:
    "Your account or the recipient's account isn't set up for USDC yet. Choose another way to pay.",
  NoUsdcAuthorizationError: "USDC isn't available on this network. Choose another way to pay.",
  MerchantBalanceError: "The shop's balance is too low for this payout. Contact the shop for help.",

  // A payment by credits or USDC, stopped
  RedeemWouldFailError:
    "This purchase can't be completed right now, so we stopped it. Try again later or contact the shop.",
  SimulationFailedError: "This purchase can't be completed right now. Try again later or contact the shop.",
  GasFeeTooHighError: 'The network fee is too high right now, so we stopped this payment. Try again later.',
  PreparedMismatchError:
    "We couldn't confirm that this payment matches your purchase, so we stopped it. Contact the shop for help.",
  ExceedsAuthorizedError: 'The price changed, so we stopped this payment. Check the new price and try again.',
  InvalidPermitError: "Your signature wasn't accepted. Please try again.",
  ExpiredError: "This request has expired. Please try again. If it happens again, check your device's clock.",
  NotYetValidError: "Your device's clock seems to be wrong. Correct it and try again.",

  // A payment by credits or USDC, submitted
  AlreadyRedeemedError: "You have already paid for this. Please don't pay again.",
  'AlreadyRedeemedError.account': "Another account, {paidBy}, has paid for this. Please don't pay again.",
  OrderUsedError:
    'This order costs {expected}, but a payment of {paid} was made for it. Contact the shop before you pay again.',
  'OrderUsedError.receiver':
    '{paid} was paid for this order, but to a different recipient. Contact the shop before you pay again.',
  OtherAttemptError:
    'Another payment for this order went through. Check your purchases before you pay again.',
  OrderAlreadyPaidError:
    'The payment service reports that this order is already paid. Check your purchases before you pay again.',
  OrderUnderwayError:
    'The payment service is processing another payment for this order. Check your purchases before you pay again.',
  OrderCancelledError:
    'The payment service reports that this order was cancelled. Check your purchases before you pay again.',
  OutcomeUnknownError: "We're still confirming your payment. Please don't pay again.",
  'OutcomeUnknownError.network':
    "We can't reach the network to confirm your payment. It may still go through. Please don't pay again.",
  'OutcomeUnknownError.refused':
    "Your payment was declined, but may still go through until {until}. Please don't pay again. Check back here after that time.",
  'OutcomeUnknownError.paid':
    "The payment service reports that this order is already paid. Please don't pay again.",
  'OutcomeUnknownError.underway':
    "The payment service is processing another payment for this order. It may still go through. Please don't pay again.",
  'OutcomeUnknownError.link':
    "Use the link to verify your identity, then continue here. Your payment may still go through. Please don't pay again.",
  RedeemTimeoutError:
    "Your payment is taking longer than usual. It may still go through. Please don't pay again.",
  RedeemRevertedError:
    "We haven't been able to complete your payment yet. It may still go through. Please don't pay again.",
  'RequestAbortedError.lookUp':
    "You stopped waiting for your payment. It may still go through. Please don't pay again.",
  RequestAbortedError: 'The request was cancelled before it was completed.',
  RedeemCancelledError: 'You cancelled this payment. You have not been charged.',
  RedeemExpiredError: 'Your payment expired before it was completed. You have not been charged.',
  TransactionFailedError: "The network didn't accept your payment. Check your balance before you pay again.",
  StoredRedeemError: 'This page lost track of your payment. Check your purchases before you pay again.',
  PurchaseStorageError:
    "This page can't save your payment on this device. Allow this site to store data, and check your purchases before you pay again.",
  PurchaseMismatchError:
    'You already started another payment for this order. Check your purchases before you pay again.',
  PaymentStateError: 'The status of your payment has changed. Check your purchases before you pay again.',

  // A payment by card
  PaymentOutcomeUnknownError:
    "We're still confirming your card payment. Please don't pay again before you check your purchases.",
  CardDeclinedError: 'Your card was declined. You have not been charged.',
  FraudSuspectedError: "Your card wasn't accepted. You have not been charged. Choose another way to pay.",
  InvalidCardNumberError: 'Check your card number. You have not been charged.',
  CardExpiredError: 'Your card has expired. You have not been charged. Use another card.',
  CardValidationExpiredError:
    'To use your saved card, enter its security code again. You have not been charged.',
  AccountValidationExpiredError: 'To use your bank account, connect it again. You have not been charged.',
  InvalidCvvError: "Check your card's security code. You have not been charged.",
  CardRefusedError: 'Your card payment was declined. You have not been charged.',
  CardFormError: "The card form couldn't be loaded. Try again in a moment.",
  ChallengeRequiredError: "Your bank needs to confirm it's you. Complete the bank's check to pay.",

  // Identity
  UnauthenticatedError: 'You are signed out. Sign in again to continue.',
  InvalidAuthMessageError: "We stopped this sign-in because we couldn't confirm that it is safe.",
  'VerificationRequiredError.link':
    'You need to verify your identity before you continue. Follow the link to do so.',
  VerificationRequiredError:
    'You need to verify your identity before you continue. Contact the shop to find out how.',
  VerificationStateError:
    "The current status of your identity check doesn't allow this. Contact the shop for help.",
  SubscriptionStateError: "You can't do this with your current subscription. Contact the shop for help.",
  PaymentMethodInUseError: 'This bank account is already used by another customer. Use a different account.',
  CustomerBlockedError: "You can't pay here right now. Contact the shop for help.",
  GeoBlockedError: "This isn't available in your location.",
  ForbiddenError: "You don't have access to this. Contact the shop for help.",
  NotWhitelistedError: "This shop can't accept your payment yet. Contact the shop for help.",

  // The connection
  RateLimitedError: 'Too many attempts. Try again in a minute.',
  'RateLimitedError.wait': 'Too many attempts. Try again in {wait}.',
  ServiceUnreachableError: "We can't reach the payment service. Check your connection and try again.",
  ServiceTimeoutError: 'The payment service is taking too long to respond. Try again in a moment.',
  ServiceFailureError: 'The payment service is having a problem. Try again in a moment.',
  ChainReadError: "We can't reach the network right now. Try again in a moment.",

  // Only the shop can fix these
  unknown: 'Something went wrong. Check your purchases before you pay again.',
  'unknown.other': 'Something went wrong. Please try again.',

  ...buttonEnglish,

  // Before signing
  'signing.transfer': 'You send {amount} to {target} on {network}.',
  'signing.call': 'You pay up to {amount} for a purchase at {target} on {network}.',
  'signing.bridge': 'You pay up to {amount} on {network} for a purchase on another network.',
  'signing.credits': 'From your credits: {credits}, plus a network fee of at most {fee}.',
  'signing.usdc': 'From your USDC: {usdc}. From your credits: a network fee of at most {fee}.',
  'signing.both':
    'From your credits: {credits}, plus a network fee of at most {fee}. From your USDC: {usdc}.',
  'signing.trust':
    "Your signature approves up to this total, but isn't tied to this purchase. Continue only if you trust the payment service.",
} as const
