/**
 * What a client should do after an error response (PROTOCOL.md 7.2).
 *
 * - `fix`: the request is wrong; never retried
 * - `logIn`: the credential is missing, wrong or expired
 * - `stop`: the same request would fail again; the code says what must change
 * - `backOff`: send the same request again later
 * - `prepareAgain`: prepare and sign the same order again; automatically at most once
 * - `show`: show the error to the user; the same request fails again until something changes
 * - `challenge`: complete the 3DS challenge, then send the request again
 * - `wait`: wait as long as the `retry-after` header says
 * - `verify`: send the user to `verificationLink`, then to `redirectLink`
 * - `tryAgain`: the service neither accepted nor rejected the request, which may be sent again
 * - `lookUp`: the outcome of a submit is unknown; check the chain, then decide. Only errors that the client creates have this remedy
 */
export type WireRemedy =
  | 'fix'
  | 'logIn'
  | 'stop'
  | 'backOff'
  | 'prepareAgain'
  | 'show'
  | 'challenge'
  | 'wait'
  | 'verify'
  | 'tryAgain'
  | 'lookUp'

/**
 * The table of wire errors: code → HTTP status, error name, remedy. Client and service both use it.
 *
 * Source: PROTOCOL.md 7. redeemkit adds one code for each status without a row there, so that every error has a code.
 */
export const wireErrors = {
  INVALID_REQUEST: { status: 400, name: 'InvalidRequestError', remedy: 'fix' },
  UNSUPPORTED_SUBTOTAL: { status: 400, name: 'UnsupportedSubtotalError', remedy: 'fix' },
  INVALID_CARD_NUMBER: { status: 400, name: 'InvalidCardNumberError', remedy: 'fix' },
  CARD_EXPIRED: { status: 400, name: 'CardExpiredError', remedy: 'fix' },
  INVALID_CVV: { status: 400, name: 'InvalidCvvError', remedy: 'fix' },
  UNAUTHENTICATED: { status: 401, name: 'UnauthenticatedError', remedy: 'logIn' },
  CARD_DECLINED: { status: 402, name: 'CardDeclinedError', remedy: 'show' },
  FRAUD_SUSPECTED: { status: 402, name: 'FraudSuspectedError', remedy: 'show' },
  FORBIDDEN: { status: 403, name: 'ForbiddenError', remedy: 'stop' },
  NOT_WHITELISTED: { status: 403, name: 'NotWhitelistedError', remedy: 'stop' },
  FACTORY_NOT_ALLOWED: { status: 403, name: 'FactoryNotAllowedError', remedy: 'stop' },
  GEO_BLOCKED: { status: 403, name: 'GeoBlockedError', remedy: 'stop' },
  NOT_FOUND: { status: 404, name: 'NotFoundError', remedy: 'stop' },
  METHOD_NOT_ALLOWED: { status: 405, name: 'MethodNotAllowedError', remedy: 'fix' },
  INTENT_MISMATCH: { status: 409, name: 'IntentMismatchError', remedy: 'stop' },
  ORDER_UNDERWAY: { status: 409, name: 'OrderUnderwayError', remedy: 'stop' },
  ORDER_ALREADY_PAID: { status: 409, name: 'OrderAlreadyPaidError', remedy: 'stop' },
  ORDER_CANCELLED: { status: 409, name: 'OrderCancelledError', remedy: 'stop' },
  AMBIGUOUS_INTENT: { status: 409, name: 'AmbiguousIntentError', remedy: 'stop' },
  PAYMENT_STATE: { status: 409, name: 'PaymentStateError', remedy: 'stop' },
  SUBSCRIPTION_STATE: { status: 409, name: 'SubscriptionStateError', remedy: 'stop' },
  VERIFICATION_STATE: { status: 409, name: 'VerificationStateError', remedy: 'stop' },
  CARD_VALIDATION_EXPIRED: { status: 410, name: 'CardValidationExpiredError', remedy: 'show' },
  INSUFFICIENT_CREDITS: { status: 412, name: 'InsufficientCreditsError', remedy: 'backOff' },
  INSUFFICIENT_FUNDS: { status: 412, name: 'MerchantBalanceError', remedy: 'show' },
  EXCEEDS_AUTHORIZED: { status: 412, name: 'ExceedsAuthorizedError', remedy: 'prepareAgain' },
  SIMULATION_FAILED: { status: 412, name: 'SimulationFailedError', remedy: 'show' },
  PERMIT_EXPIRED: { status: 412, name: 'PermitExpiredError', remedy: 'prepareAgain' },
  INVALID_PERMIT: { status: 412, name: 'InvalidPermitError', remedy: 'prepareAgain' },
  INVALID_USDC_AUTHORIZATION: { status: 412, name: 'InvalidUsdcAuthorizationError', remedy: 'prepareAgain' },
  UNKNOWN_NONCE: { status: 412, name: 'UnknownNonceError', remedy: 'prepareAgain' },
  CHALLENGE_REQUIRED: { status: 412, name: 'ChallengeRequiredError', remedy: 'challenge' },
  PAYLOAD_TOO_LARGE: { status: 413, name: 'PayloadTooLargeError', remedy: 'fix' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, name: 'UnsupportedMediaTypeError', remedy: 'fix' },
  PAYMENT_METHOD_IN_USE: { status: 423, name: 'PaymentMethodInUseError', remedy: 'stop' },
  CUSTOMER_BLOCKED: { status: 423, name: 'CustomerBlockedError', remedy: 'stop' },
  ACCOUNT_VALIDATION_EXPIRED: { status: 428, name: 'AccountValidationExpiredError', remedy: 'show' },
  RATE_LIMITED: { status: 429, name: 'RateLimitedError', remedy: 'wait' },
  VERIFICATION_REQUIRED: { status: 451, name: 'VerificationRequiredError', remedy: 'verify' },
  INTERNAL: { status: 500, name: 'ServiceFailureError', remedy: 'tryAgain' },
  UNAVAILABLE: { status: 503, name: 'ServiceUnavailableError', remedy: 'tryAgain' },
} as const satisfies Record<string, WireErrorRow>

export type WireErrorRow = { status: number; name: string; remedy: WireRemedy }
export type WireErrorCode = keyof typeof wireErrors

export function isWireErrorCode(code: unknown): code is WireErrorCode {
  return typeof code === 'string' && Object.hasOwn(wireErrors, code)
}
