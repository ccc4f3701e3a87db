import type { AuthMessageResponse } from './auth.ts'
import {
  addressFormat,
  anyAddressFormat,
  byteFormat,
  bytes32Format,
  decimalFormat,
  type Format,
  filledTextFormat,
  hexDataFormat,
  oneVersionExpected,
  orderKeyFormat,
  safeUintFormat,
  tokenAmountFormat,
  uintFormat,
  unixTimeFormat,
  wholeCentsFormat,
} from './formats.ts'
import type { BalancesResponse } from './purchase.ts'
import type { RecordSchema, SchemaIssue } from './readRecord.ts'
import type { CreditsAuthMsgResponse, SendGaslessTxResponse, SignedMessages } from './redeem.ts'
import type { Cents, RedeemSubtotal, TokenSubtotal, UsdCents } from './subtotal.ts'
import type {
  UsdcAuthorizationMessage,
  UsdcAuthorizationMessageData,
  UsdcAuthorizationV1,
  UsdcAuthorizationV2,
} from './usdcAuthorization.ts'
import type { Hex } from './values.ts'

/**
 * Schemas without zod for the records that a redeem and a sign-in read in a browser, because zod is larger than all of them. Each has the
 * type of its record's zod schema, and `light.test.ts` compares the results and messages of both.
 */

/** Reads one value. If it is invalid, adds an issue, and the caller ignores the result. */
type Field<value> = (given: unknown, at: Place) => value

type Place = { path: readonly PropertyKey[]; issues: SchemaIssue[]; isLoose: boolean }

/** For the client's own data. */
// @__NO_SIDE_EFFECTS__
const strict = <record>(field: Field<record>): RecordSchema<record> => schemaOf(field, false)

/** For responses: like `loose`, keeps unknown fields, and null counts as absent. */
// @__NO_SIDE_EFFECTS__
const loosely = <record>(field: Field<record>): RecordSchema<record> => schemaOf(field, true)

function schemaOf<record>(field: Field<record>, isLoose: boolean): RecordSchema<record> {
  return {
    safeParse: (value) => {
      const issues: SchemaIssue[] = []
      const data = field(value, { path: [], issues, isLoose })
      return issues.length > 0 ? { success: false, error: { issues } } : { success: true, data }
    },
  }
}

/** A hexadecimal format returns `Hex`. */
// @__NO_SIDE_EFFECTS__
function text<value extends string = string>(format?: Format<string>): Field<value> {
  return (given, at) => {
    if (typeof given !== 'string') return refuse(at, { message: 'expected string' })
    if (format && !format.matches(given)) return refuse(at, { message: format.expected })
    // Hexadecimal formats accept only text with 0x, as the type requires.
    return given as value
  }
}

// @__NO_SIDE_EFFECTS__
function number({ matches, expected }: Format<number>): Field<number> {
  return (given, at) =>
    typeof given === 'number' && matches(given) ? given : refuse(at, { message: expected })
}

// @__NO_SIDE_EFFECTS__
function word<const value extends string>(expected: value): Field<value> {
  return (given, at) =>
    given === expected ? expected : refuse(at, { message: 'Invalid input', values: [expected] })
}

// @__NO_SIDE_EFFECTS__
function textOrNumber(textFormat: Format<string>, numberFormat: Format<number>): Field<string | number> {
  return (given, at) =>
    typeof given === 'string' ? text(textFormat)(given, at) : number(numberFormat)(given, at)
}

// @__NO_SIDE_EFFECTS__
function optional<value>(field: Field<value>): Field<value | undefined> {
  return (given, at) => (given === undefined ? undefined : field(given, at))
}

// @__NO_SIDE_EFFECTS__
function listOf<value>(field: Field<value>): Field<value[]> {
  return (given, at) =>
    Array.isArray(given)
      ? given.map((one, index) => field(one, { ...at, path: [...at.path, index] }))
      : refuse(at, { message: 'expected array' })
}

const anyObject: Field<Record<string, unknown>> = (given, at) =>
  isRecord(given) ? copy(given, Object.keys(given)) : refuse(at, { message: 'expected record' })

// @__NO_SIDE_EFFECTS__
function object<record extends object>(
  fields: {
    [key in keyof record]-?: Field<record[key]>
  },
): Field<record> {
  return (given, at) => {
    if (!isRecord(given)) return refuse(at, { message: 'expected object' })
    const read: Record<string, unknown> = {}
    for (const key in fields) {
      const value = at.isLoose && given[key] === null ? undefined : given[key]
      const one = fields[key](value, { ...at, path: [...at.path, key] })
      if (one !== undefined) read[key] = one
    }
    const others = Object.keys(given).filter((key) => !Object.hasOwn(fields, key))
    if (!at.isLoose && others.length > 0) refuse(at, { message: 'Invalid input', keys: others })
    // Each field's reader returns the type of its key, and callers ignore an invalid record.
    return { ...read, ...(at.isLoose && copy(given, others)) } as record
  }
}

// @__NO_SIDE_EFFECTS__
function chosen<record>(choose: (given: Record<string, unknown>) => Field<record>): Field<record> {
  return (given, at) =>
    isRecord(given) ? choose(given)(given, at) : refuse(at, { message: 'expected object' })
}

/** Assigning `__proto__` would set the prototype of the copy. */
function copy(given: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  const copied: Record<string, unknown> = {}
  for (const key of keys) if (key !== '__proto__') copied[key] = given[key]
  return copied
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuse({ path, issues }: Place, issue: Omit<SchemaIssue, 'path'>): never {
  issues.push({ path, ...issue })
  // Callers ignore the value, because there is an issue.
  return undefined as never
}

const address = text<Hex>(addressFormat)
const bytes32 = text<Hex>(bytes32Format)
const orderKey = text<Hex>(orderKeyFormat)
const hexData = text<Hex>(hexDataFormat)
const uintText = text(uintFormat)
const wholeCents = number(wholeCentsFormat)
const safeUint = number(safeUintFormat)
const unixTime = textOrNumber(uintFormat, unixTimeFormat)

const authorization = {
  from: address,
  to: address,
  value: uintText,
  validAfter: unixTime,
  validBefore: unixTime,
  nonce: bytes32,
}

const cents = object<Cents>({ cents: wholeCents })

const usdCents = object<UsdCents>({ cents: wholeCents, currency: optional(word('USD')) })

const tokenSubtotal = object<TokenSubtotal>({
  address: text(anyAddressFormat),
  amount: textOrNumber(decimalFormat, tokenAmountFormat),
  decimals: optional(safeUint),
})

export const lightCents = strict(cents)

export const lightRedeemSubtotal = strict(
  chosen<RedeemSubtotal>(
    (given): Field<RedeemSubtotal> =>
      given.address !== undefined || given.amount !== undefined ? tokenSubtotal : usdCents,
  ),
)

export const lightWebhookInfo = strict(anyObject)

/** The service validates the items. */
export const lightCart = strict(listOf(anyObject))

const messages = object<SignedMessages>({
  permitCredits: hexData,
  customerUsdcAuthData: optional(
    object<UsdcAuthorizationV1>({ ...authorization, v: number(byteFormat), r: bytes32, s: bytes32 }),
  ),
  customerUsdcAuthDataV2: optional(object<UsdcAuthorizationV2>({ ...authorization, signature: hexData })),
})

export const lightSignedMessages = strict<SignedMessages>((given, at) => {
  const read = messages(given, at)
  if (at.issues.length === 0 && read.customerUsdcAuthData && read.customerUsdcAuthDataV2)
    at.issues.push({ path: [...at.path, 'customerUsdcAuthDataV2'], message: oneVersionExpected })
  return read
})

export const lightCreditsAuthMsgAnswer = loosely(
  object<CreditsAuthMsgResponse>({
    message: text(),
    validBefore: uintText,
    nonce: bytes32,
    creditsRawAmount: safeUint,
    salt: optional(bytes32),
    orderKey: optional(orderKey),
    usdcAuthorization: optional(
      object<UsdcAuthorizationMessage>({
        message: text(),
        messageData: object<UsdcAuthorizationMessageData>(authorization),
      }),
    ),
  }),
)

export const lightSendGaslessTxAnswer = loosely(object<SendGaslessTxResponse>({ hash: bytes32 }))

export const lightBalancesAnswer = loosely(object<BalancesResponse>({ credits: cents, usdc: cents }))

export const lightAuthMessageAnswer = /* @__PURE__ */ loosely(
  /* @__PURE__ */ object<AuthMessageResponse>({
    message: /* @__PURE__ */ text(filledTextFormat),
    transaction: /* @__PURE__ */ optional(/* @__PURE__ */ text()),
  }),
)

/** The empty `shape` tells the client that the body may be empty. */
export const lightEmptyAnswer = /* @__PURE__ */ Object.assign(
  /* @__PURE__ */ loosely(/* @__PURE__ */ object<Record<never, never>>({})),
  { shape: {} },
)
