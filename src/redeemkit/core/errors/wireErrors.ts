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

/** Code → HTTP status, remedy, and the error's name where it does not follow from the code. */
const rows = {
  INVALID_REQUEST: [400, 'fix'],
  UNSUPPORTED_SUBTOTAL: [400, 'fix'],
  INVALID_CARD_NUMBER: [400, 'fix'],
  CARD_EXPIRED: [400, 'fix'],
  INVALID_CVV: [400, 'fix'],
  UNAUTHENTICATED: [401, 'logIn'],
  CARD_DECLINED: [402, 'show'],
  FRAUD_SUSPECTED: [402, 'show'],
  FORBIDDEN: [403, 'stop'],
  NOT_WHITELISTED: [403, 'stop'],
  FACTORY_NOT_ALLOWED: [403, 'stop'],
  GEO_BLOCKED: [403, 'stop'],
  NOT_FOUND: [404, 'stop'],
  METHOD_NOT_ALLOWED: [405, 'fix'],
  INTENT_MISMATCH: [409, 'stop'],
  ORDER_UNDERWAY: [409, 'stop'],
  ORDER_ALREADY_PAID: [409, 'stop'],
  ORDER_CANCELLED: [409, 'stop'],
  AMBIGUOUS_INTENT: [409, 'stop'],
  PAYMENT_STATE: [409, 'stop'],
  SUBSCRIPTION_STATE: [409, 'stop'],
  VERIFICATION_STATE: [409, 'stop'],
  CARD_VALIDATION_EXPIRED: [410, 'show'],
  INSUFFICIENT_CREDITS: [412, 'backOff'],
  INSUFFICIENT_FUNDS: [412, 'show', 'MerchantBalanceError'],
  EXCEEDS_AUTHORIZED: [412, 'prepareAgain'],
  SIMULATION_FAILED: [412, 'show'],
  PERMIT_EXPIRED: [412, 'prepareAgain'],
  INVALID_PERMIT: [412, 'prepareAgain'],
  INVALID_USDC_AUTHORIZATION: [412, 'prepareAgain'],
  UNKNOWN_NONCE: [412, 'prepareAgain'],
  CHALLENGE_REQUIRED: [412, 'challenge'],
  PAYLOAD_TOO_LARGE: [413, 'fix'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'fix'],
  PAYMENT_METHOD_IN_USE: [423, 'stop'],
  CUSTOMER_BLOCKED: [423, 'stop'],
  ACCOUNT_VALIDATION_EXPIRED: [428, 'show'],
  RATE_LIMITED: [429, 'wait'],
  VERIFICATION_REQUIRED: [451, 'verify'],
  INTERNAL: [500, 'tryAgain', 'ServiceFailureError'],
  UNAVAILABLE: [503, 'tryAgain', 'ServiceUnavailableError'],
} as const satisfies Record<string, readonly [status: number, remedy: WireRemedy, name?: string]>

export type WireErrorCode = keyof typeof rows

/** `CardExpired` of `CARD_EXPIRED`. */
type Camel<code extends string> = code extends `${infer word}_${infer rest}`
  ? `${Camel<word>}${Camel<rest>}`
  : Capitalize<Lowercase<code>>

/**
 * The table of wire errors: code → HTTP status, error name, remedy. Client and service both use it.
 *
 * Source: PROTOCOL.md 7. redeemkit adds one code for each status without a row there, so that every error has a code.
 */
export const wireErrors = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries(rows).map(([code, [status, remedy, name = nameOf(code)]]) => [
    code,
    { status, name, remedy },
  ]),
) as {
  readonly [code in WireErrorCode]: {
    readonly status: (typeof rows)[code][0]
    readonly name: (typeof rows)[code] extends readonly [unknown, unknown, infer name]
      ? name
      : `${Camel<code>}Error`
    readonly remedy: (typeof rows)[code][1]
  }
}

function nameOf(code: string): string {
  return `${code.toLowerCase().replace(/(?:^|_)(.)/g, (_, first: string) => first.toUpperCase())}Error`
}

export function isWireErrorCode(code: unknown): code is WireErrorCode {
  return typeof code === 'string' && Object.hasOwn(wireErrors, code)
}
