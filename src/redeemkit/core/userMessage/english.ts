/**
 * The one catalogue of what a person is told, in English: a sentence or two in the second person that a page can show as it is.
 * `Nothing was paid.` stands only where that is certain, and `Do not pay again` where the outcome is open (PROTOCOL.md 7.7).
 */
export const english = {
  locale: 'en-US',

  // The wallet
  UserRejectedError: 'You said no in your wallet. Nothing was paid.',
  'UserRejectedError.other': 'You said no in your wallet.',
  PartlySignedError: 'Your wallet did not finish signing. Nothing was paid.',
  'PartlySignedError.rejected': 'You said no to the second request in your wallet. Nothing was paid.',
  'PartlySignedError.network':
    'You signed, but the network cannot be reached. Nothing was paid. Check your connection, then try again.',
  WalletFailedError: 'Your wallet could not do this. Check that it is open and unlocked, then try again.',
  'WalletFailedError.window': "Your browser blocked your wallet's window. Allow it, then try again.",
  WalletRequestPendingError: 'Your wallet is still waiting for your answer. Open it to go on.',
  WalletNotConnectedError: 'Your wallet is not connected to this page. Connect it, then try again.',
  WrongSignerError:
    'Your wallet shows another account than the one you started with. Choose that account, then try again.',
  WrongSignatureError:
    'Your wallet answered with something else than it was asked for. Try again, or use another wallet.',
  WrongNetworkError: 'Your wallet is on another network. Switch it, then try again.',
  'WrongNetworkError.named': 'Your wallet is on another network. Switch it to {network}, then try again.',
  UnsupportedSignerError: 'This wallet cannot be used here. Try another one.',

  // What you have
  'InsufficientFundsError.credits':
    'You have {have} in credits, and this takes up to {need}. Add some, or pay in another way.',
  'InsufficientFundsError.usdc':
    'You have {have} in USDC, and this takes {need}. Add some, or pay in another way.',
  InsufficientCreditsError: 'You do not have enough credits for this. Add some, or pay in another way.',
  InsufficientUsdcError: 'You do not have enough USDC for this. Add some, or pay in another way.',
  MissingTokenAccountError: 'USDC cannot be sent between these two accounts yet. Choose another way to pay.',
  NoUsdcAuthorizationError: 'USDC cannot be used on this network. Choose another way to pay.',
  MerchantBalanceError: 'The balance is too low for this.',

  // A payment by credits or USDC that was stopped
  RedeemWouldFailError: 'This purchase would not go through right now, so it was stopped.',
  SimulationFailedError: 'This purchase would not go through right now. Try again later, or ask the shop.',
  GasFeeTooHighError: 'The network fee is too high right now, so this was stopped. Try again later.',
  PreparedMismatchError: 'This payment is not what you chose, or could not be checked, so it was stopped.',
  ExceedsAuthorizedError: 'The price changed while you were paying. Look at it, then start again.',
  InvalidPermitError: 'Your signature was not accepted. Please start again.',
  ExpiredError:
    'The time for this has run out. Please start again. If it happens again, check the clock of your device.',
  NotYetValidError: 'The clock of your device seems to be wrong. Set it, then try again.',

  // A payment by credits or USDC that left
  AlreadyRedeemedError: 'You have paid for this already. Do not pay again.',
  OrderUsedError:
    'This order was used for another payment. {paid} was paid, and the order costs {expected}. Ask the shop before you pay again.',
  'OrderUsedError.receiver':
    'This order was used for another payment of {paid}. Ask the shop before you pay again.',
  OtherAttemptError:
    'Another payment for this order went through. Check your purchases before you pay again.',
  OrderAlreadyPaidError:
    'The payment service reports that this order is paid. Check your purchases before you pay again.',
  OrderUnderwayError:
    'The payment service reports another payment for this order in progress. Check your purchases before you pay again.',
  OrderCancelledError:
    'The payment service reports that this order was cancelled. Check your purchases before you pay again.',
  OutcomeUnknownError:
    'It is not known yet whether your payment went through. Do not pay again: it may still go through.',
  'OutcomeUnknownError.network':
    'The network cannot be reached to look for your payment. Do not pay again: it may still go through.',
  'OutcomeUnknownError.paid': 'The payment service reports that this order is paid. Do not pay again.',
  'OutcomeUnknownError.underway':
    'The payment service reports another payment for this order in progress. Do not pay again: it may still go through.',
  'OutcomeUnknownError.link':
    'You have to be verified first: follow the link, then go on here. Do not pay again: it may still go through.',
  RedeemTimeoutError: 'Your payment is taking longer than usual. Do not pay again: it may still go through.',
  RedeemRevertedError: 'Your payment did not go through yet. Do not pay again: it may still go through.',
  'RequestAbortedError.lookUp':
    'You stopped while your payment was on its way. Do not pay again: it may still go through.',
  RequestAbortedError: 'You stopped this before it was done.',
  RedeemCancelledError: 'You cancelled this payment. Nothing was paid.',
  RedeemExpiredError: 'Your payment was not carried out in time, and no longer can be. Nothing was paid.',
  TransactionFailedError: 'The network did not take your payment. Check your balance before you pay again.',
  StoredRedeemError: 'This page lost track of your payment. Check your purchases before you pay again.',
  PurchaseMismatchError:
    'You started another payment for this before. Check your purchases before you pay again.',
  PaymentStateError: 'Your payment changed in the meantime. Check your purchases before you pay again.',

  // A payment by card
  PaymentOutcomeUnknownError:
    'It is not known yet whether your card was charged. Do not pay again before you have checked your purchases.',
  CardDeclinedError: 'Your card was declined. Nothing was paid.',
  FraudSuspectedError: 'Your card was not accepted for this. Nothing was paid. Try another way to pay.',
  InvalidCardNumberError: 'Check the number of your card. Nothing was paid.',
  CardExpiredError: 'Your card has expired. Nothing was paid. Use another one.',
  InvalidCvvError: 'Check the security code of your card. Nothing was paid.',
  CardRefusedError: 'Your card payment was refused. Nothing was paid.',
  CardFormError: 'The card form could not be loaded. Try again in a moment.',
  ChallengeRequiredError: 'Your bank wants to know that it is you. Finish its check to pay.',

  // Who you are
  UnauthenticatedError: 'You are signed out. Sign in again to go on.',
  InvalidAuthMessageError: 'You could not be signed in safely, so this was stopped.',
  'VerificationRequiredError.link':
    'You have to be verified before you can go on. Follow the link to do that.',
  VerificationRequiredError: 'You have to be verified before you can go on. The shop can tell you how.',
  VerificationStateError: 'Your verification does not allow this right now.',
  SubscriptionStateError: 'Your subscription does not allow this right now.',
  PaymentMethodInUseError: 'Somebody else uses this account already. Use another one.',
  CustomerBlockedError: 'You cannot pay here at the moment. The shop can tell you more.',
  GeoBlockedError: 'This is not available where you are.',
  ForbiddenError: 'You cannot do this here. The shop can tell you more.',
  NotWhitelistedError: 'This shop cannot take your payment yet. The shop can tell you more.',

  // The way there
  RateLimitedError: 'There were too many tries. Wait a minute, then try again.',
  'RateLimitedError.wait': 'There were too many tries. Wait {wait}, then try again.',
  ServiceUnreachableError: 'The payment service cannot be reached. Check your connection, then try again.',
  ServiceTimeoutError: 'The payment service takes too long to answer. Try again in a moment.',
  ServiceFailureError: 'The payment service has a problem right now. Try again in a moment.',
  ChainReadError: 'The network cannot be reached right now. Try again in a moment.',

  // What only the shop can put right
  page: 'This page made a mistake and could not go on. If it happens again, please tell the shop.',
  unknown: 'Something did not work. Check your purchases before you pay again.',
  'unknown.other': 'Something did not work. Please try again.',

  // What you are about to sign
  'signing.transfer': 'You send {amount} to {target} on {network}.',
  'signing.call': 'You pay up to {amount} for a purchase at {target} on {network}.',
  'signing.bridge': 'You pay up to {amount} for a purchase on another network, by way of {network}.',
  'signing.credits': 'Paid from your credits: {credits}, and at most {fee} more for the network fee.',
  'signing.usdc': 'Paid from your USDC: {usdc}, and at most {fee} from your credits for the network fee.',
  'signing.both':
    'Paid from your credits: {credits}. From your USDC: {usdc}. From your credits for the network fee: at most {fee}.',
  'signing.trust': 'What you sign does not say what it pays for: you trust the payment service with that.',
} as const
