import type { AuthMessageResponse } from '../auth.ts'
import type { CreditsAuthMsgResponse } from '../creditsAuthMsg.ts'
import {
  addressFormat,
  anyAddressFormat,
  byteFormat,
  bytes32Format,
  decimalFormat,
  filledTextFormat,
  hexDataFormat,
  oneVersionExpected,
  orderKeyFormat,
  safeUintFormat,
  tokenAmountFormat,
  uintFormat,
  unixTimeFormat,
  wholeCentsFormat,
} from '../formats.ts'
import type { BalancesResponse } from '../purchase.ts'
import type { SendGaslessTxResponse, SignedMessages } from '../sendGaslessTx.ts'
import type { Cents, RedeemSubtotal, TokenSubtotal, UsdCents } from '../subtotal.ts'
import type {
  UsdcAuthorizationMessage,
  UsdcAuthorizationMessageData,
  UsdcAuthorizationV1,
  UsdcAuthorizationV2,
} from '../usdcAuthorization.ts'
import type { Hex } from '../values.ts'
import {
  anyObject,
  chosen,
  type Field,
  listOf,
  loosely,
  number,
  object,
  optional,
  strict,
  text,
  textOrNumber,
  word,
} from './fields.ts'

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
