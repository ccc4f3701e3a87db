import * as z from 'zod/mini'
import { parseUrl } from '../core/parseUrl.ts'
import { threeDsChallengePreference } from './card.ts'
import { chargebackProtectionData } from './cartItem.ts'
import { customerInfo } from './customerInfo.ts'
import { isUintText } from './formats.ts'
import { returned } from './loose.ts'
import { oneOf } from './oneOf.ts'
import { cents, currency, currencyCents, subtotal } from './subtotal.ts'
import { customPayInFee } from './totals.ts'
import { transactionData } from './transactionData.ts'
import { usdcAuthorizationV1, usdcAuthorizationV2 } from './usdcAuthorization.ts'
import {
  bytes32,
  dateTimeText,
  double,
  filledText,
  freeObject,
  orderIdText,
  orderKey,
  type SchemaOf,
  safeUint,
} from './values.ts'

/** Any data from the merchant. The payment's webhooks return it (PROTOCOL.md 11.8). */
export const webhookInfo = freeObject
export type WebhookInfo = z.infer<typeof webhookInfo>

/** The asset that a payment settles to (PROTOCOL.md 11.8). */
export const settlementType = z.enum(['Credits', 'USDC'])
export type SettlementType = z.infer<typeof settlementType>

export const feePercentage = double.check(z.nonnegative('expected a percentage that is not negative'))

const degrees = (most: number) => {
  const expected = `expected degrees from -${most} to ${most}`
  return double.check(z.gte(-most, expected), z.lte(most, expected))
}

const sharedCheckout = {
  subtotal,
  customPayInFees: z.optional(z.array(customPayInFee)),
  customerInfo: z.optional(customerInfo),
  webhookInfo: z.optional(webhookInfo),
  /** Marketplace fee in percent of the subtotal. */
  feePercentage: z.optional(feePercentage),
  fixedFee: z.optional(cents),
  jwtToken: z.optional(filledText),
  rent: z.optional(
    z.strictObject({
      lamports: z.union([z.string().check(z.refine(isUintText, 'expected whole lamports')), safeUint], {
        error: 'expected whole lamports: decimal digits, or a whole number',
      }),
    }),
  ),
  transactionData: z.optional(transactionData),
  /** A call to a merchant's contract, as base64 XDR. */
  stellarTransaction: z.optional(filledText),
  settlementType: z.optional(settlementType),
  /** A JWT that names another receiver (PROTOCOL.md 10.2). */
  destinationAuthKey: z.optional(filledText),
  userLocation: z.optional(z.strictObject({ lat: degrees(90), lng: degrees(180) })),
  overrideChargebackProtectionDecision: z.optional(z.boolean()),
  doNotReviewChargebackProtection: z.optional(z.boolean()),
  chargebackProtectionData: z.optional(chargebackProtectionData),
}

const customerUsdc = {
  customerUsdcTransferData: z.optional(usdcAuthorizationV1),
  customerUsdcTransferDataV2: z.optional(usdcAuthorizationV2),
  /** The order key that the nonce of the customer's USDC authorization contains (PROTOCOL.md 10.2). */
  orderKey: z.optional(orderKey),
  /** The 32 random bytes that the client chose for that nonce. */
  salt: z.optional(bytes32),
}

const onlyOneUsdc = () =>
  z.refine<{ customerUsdcTransferData?: unknown; customerUsdcTransferDataV2?: unknown }>(
    (record) => !record.customerUsdcTransferData || !record.customerUsdcTransferDataV2,
    {
      path: ['customerUsdcTransferDataV2'],
      error: 'expected only one of customerUsdcTransferData and customerUsdcTransferDataV2',
    },
  )

/** Body of `POST /api/checkout/wire/token` (PROTOCOL.md 2.6 and 11.8). */
export const wireTokenBody = z
  .strictObject({
    ...sharedCheckout,
    ...customerUsdc,
    merchantId: orderIdText,
    /** Token of the saved account. */
    token: filledText,
    wireRoutingNumber: z.optional(z.string()),
    accountNumber: z.optional(z.string()),
  })
  .check(onlyOneUsdc())
export type WireTokenBody = z.infer<typeof wireTokenBody>

/** Response of `POST /api/checkout/wire/token` (PROTOCOL.md 2.6): the bank account to pay before `expires`. */
export const wireTokenResponse = z.strictObject({
  address: z.strictObject({
    address1: z.string(),
    city: z.string(),
    state: z.string(),
    zip: z.string(),
    country: z.string(),
    address2: z.optional(z.string()),
  }),
  account_number: z.string(),
  wireRoutingNumber: z.string(),
  paymentId: filledText,
  recipientName: z.string(),
  memo: z.string(),
  amount: currencyCents,
  expires: z.string(),
})
export type WireTokenResponse = z.infer<typeof wireTokenResponse>

/** Body of `POST /api/checkout/pix` (PROTOCOL.md 2.6 and 11.8). */
export const pixBody = z
  .strictObject({ ...sharedCheckout, ...customerUsdc, email: filledText, merchantId: orderIdText })
  .check(onlyOneUsdc())
export type PixBody = z.infer<typeof pixBody>

/** Response of `POST /api/checkout/pix` (PROTOCOL.md 2.6): the code to pay before `expires`. */
export const pixResponse = z.strictObject({
  paymentId: filledText,
  brCode: z.string(),
  quote: currencyCents,
  expires: z.string(),
})
export type PixResponse = z.infer<typeof pixResponse>

/** Body of `POST /api/checkout/mobileapp/{merchantId}` (PROTOCOL.md 2.6 and 11.8). */
export const mobileAppBody = z.strictObject({ ...sharedCheckout, email: z.optional(filledText) })
export type MobileAppBody = z.infer<typeof mobileAppBody>

/** Response of `POST /api/checkout/mobileapp/{merchantId}` (PROTOCOL.md 2.6). */
export const mobileAppResponse = z
  .strictObject({
    expiresAt: dateTimeText,
    /** Other services name this field after the app. The client keeps that field under its own name. */
    appLink: returned(z.string()),
    paymentId: filledText,
  })
  // the page will open the link, and other services may use any name for its field
  .check(
    z.refine((answer) => !Object.values(answer).some(isScript), 'expected a link that does not run a script'),
  )
export type MobileAppResponse = z.infer<typeof mobileAppResponse>

function isScript(text: unknown): boolean {
  const { protocol = '' } = (typeof text === 'string' && parseUrl(text)) || {}
  return /^(?:javascript|vbscript|data|blob):$/.test(protocol)
}

const newCard = z.strictObject({
  /** The card token from `POST /api/tokenize`. */
  cardToken: filledText,
  expYear: z.optional(z.string()),
  expMonth: z.optional(z.string()),
  email: z.optional(z.string()),
  firstName: z.optional(z.string()),
  lastName: z.optional(z.string()),
  address1: z.optional(z.string()),
  city: z.optional(z.string()),
  zip: z.optional(z.string()),
  state: z.optional(z.string()),
  country: z.optional(z.string()),
  businessName: z.optional(z.string()),
  /** Data from the token provider. */
  additionalVendorData: z.optional(freeObject),
})

const noChallenge = z.optional(z.never())

/**
 * 3DS data (PROTOCOL.md 10.3 and 11.10), one of three: before a challenge, the properties of the browser that will show it; after the
 * challenge, the completed challenge; or an authentication that the merchant obtained from another provider.
 */
export const authentication3DS = oneOf(
  {
    byChallenge: z.strictObject({ transactionId: filledText }),
    byMerchant: z.strictObject({
      transactionId: filledText,
      cavv: filledText,
      eci: filledText,
      dsTransactionId: filledText,
      acsTransactionId: filledText,
      version: filledText,
    }),
    byBrowser: z.strictObject({
      transactionId: noChallenge,
      colorDepth: double,
      screenHeight: double,
      screenWidth: double,
      /** Time zone offset in minutes. */
      timeZone: double,
      versionInfo: z.optional(z.array(freeObject)),
    }),
  },
  {
    pick: ({ transactionId, cavv }) =>
      cavv !== undefined ? 'byMerchant' : transactionId === undefined ? 'byBrowser' : 'byChallenge',
  },
)
export type Authentication3DS = z.infer<typeof authentication3DS>

/** Optional fields of every card payment (PROTOCOL.md 11.10). */
export const cardExtras = {
  authentication3DS: z.optional(authentication3DS),
  threeDsChallengePreference: z.optional(threeDsChallengePreference),
  /** The receiver of the funds, if the payment funds an account. Not validated. */
  accountFundingTransaction: z.optional(freeObject),
}

/** The address of a saved card's holder, if the service requires it (PROTOCOL.md 11.10). */
export const cardAddress = z.strictObject({
  address1: z.string(),
  city: z.string(),
  country: z.string(),
  state: z.optional(z.string()),
  zip: z.optional(z.string()),
})
export type CardAddress = z.infer<typeof cardAddress>

const cardPayment = {
  ...cardExtras,
  /** Only authorizes the payment, which can then be voided. */
  authOnly: z.optional(z.boolean()),
  /** The currency shown to the customer. */
  presentment: z.optional(currency),
  /** The text on the customer's statement, if the bank supports it. */
  statementDescriptor: z.optional(z.string()),
  /** The customer's account type at the merchant: `private`, `guest`. Not validated. */
  chargebackProtectionAccountType: z.optional(z.string()),
}

/** Body of `POST /api/checkout/card/{merchantId}` (PROTOCOL.md 2.6, 10.3, 11.8 and 11.10). */
export const cardCheckoutBody = z
  .strictObject({
    ...sharedCheckout,
    ...customerUsdc,
    card: newCard,
    ...cardPayment,
    /** Whether to save the card after the payment. */
    saveCard: z.optional(z.boolean()),
  })
  .check(onlyOneUsdc())
export type CardCheckoutBody = z.infer<typeof cardCheckoutBody>

/** Response of `POST /api/checkout/card/{merchantId}` (PROTOCOL.md 2.6). */
export const cardCheckoutResponse = z.strictObject({
  paymentId: filledText,
  /** Other services may omit this field. */
  status: returned(z.string()),
  hash: z.optional(z.string()),
})
export type CardCheckoutResponse = z.infer<typeof cardCheckoutResponse>

/** Body of `POST /api/checkout/void` (PROTOCOL.md 2.6). */
export const voidBody = z.strictObject({ paymentId: filledText })
export type VoidBody = z.infer<typeof voidBody>

const { jwtToken: _, ...pinnable } = sharedCheckout

/** Parameters of other services (PROTOCOL.md 11.8). redeemkit's service pins them all, but uses only `threeDsChallengePreference`. */
const observedOfJwt = {
  /** Pages that may show the checkout. */
  origins: z.optional(z.array(filledText)),
  /** The payment rails to offer, by the service's names, such as `card`, `ach` or `pix`. Not validated. */
  allowedPaymentMethods: z.optional(z.array(filledText)),
  /** The plan that the checkout subscribes to. */
  planCode: z.optional(filledText),
  supportEmail: z.optional(filledText),
  /** Whether the checkout only saves a card, without a charge. */
  isZeroAuthorization: z.optional(z.boolean()),
  /** Whether the service checks the call before it charges the customer. */
  redemptionCheck: z.optional(z.boolean()),
  threeDsChallengePreference: z.optional(threeDsChallengePreference),
  accountFundingTransaction: z.optional(freeObject),
  presentment: z.optional(currency),
}

/**
 * Body of `POST /api/checkout/jwt-token` (PROTOCOL.md 11.8): any parameters of a checkout. The JWT pins each given parameter (PROTOCOL.md
 * 10.3).
 */
export const checkoutJwtBody = z
  .strictObject({
    ...pinnable,
    ...customerUsdc,
    subtotal: z.optional(subtotal),
    email: z.optional(filledText),
    merchantId: z.optional(orderIdText),
    /** The merchant's order id. An order can be paid by card only once (PROTOCOL.md 10.8). Other services do not support this field. */
    purchaseId: z.optional(orderIdText),
    /** The asset that the payment settles to. Other services also use `Bank`. */
    settlementType: z.optional(z.enum(['Credits', 'USDC', 'Bank'])),
    authOnly: z.optional(z.boolean()),
    ...observedOfJwt,
  })
  .check(onlyOneUsdc())
export type CheckoutJwtBody = z.infer<typeof checkoutJwtBody>

/** Response of `POST /api/checkout/jwt-token` (PROTOCOL.md 2.6). */
export const checkoutJwtResponse = z.strictObject({ checkoutJwtToken: filledText })
export type CheckoutJwtResponse = z.infer<typeof checkoutJwtResponse>

/** Body of `POST /api/checkout/totals/{merchantId}` (PROTOCOL.md 2.11 and 11.8): the planned checkout. */
export const totalsBody = z
  .strictObject({
    ...sharedCheckout,
    ...customerUsdc,
    email: z.optional(filledText),
    /** The first digits of the card, which identify its issuer. */
    bin: z.optional(z.string().check(z.regex(/^\d{6,8}$/, 'expected 6 to 8 digits'))),
    presentment: z.optional(currency),
    /** The customer's balances, if known. */
    creditsBalance: z.optional(cents),
    usdcBalance: z.optional(cents),
  })
  .check(onlyOneUsdc())
export type TotalsBody = z.infer<typeof totalsBody>

const zeroAuthorization = {
  customerInfo: sharedCheckout.customerInfo,
  webhookInfo: sharedCheckout.webhookInfo,
  jwtToken: sharedCheckout.jwtToken,
  userLocation: sharedCheckout.userLocation,
  chargebackProtectionData: sharedCheckout.chargebackProtectionData,
  ...cardExtras,
}
const ofNewCard = z.strictObject({ ...zeroAuthorization, card: newCard })
const ofKnownCard = z.strictObject({ ...zeroAuthorization, token: filledText })

// a named type, so that TypeScript declarations do not repeat both options
export type ZeroAuthorizationBody = z.infer<typeof ofNewCard> | z.infer<typeof ofKnownCard>

/** Body of `POST /api/checkout/zero-authorization/{merchantId}` (PROTOCOL.md 2.11, 11.8): saves a new card, or checks a saved card. */
export const zeroAuthorizationBody: SchemaOf<ZeroAuthorizationBody> = oneOf(
  { ofNewCard, ofKnownCard },
  { pick: ({ token }) => (token === undefined ? 'ofNewCard' : 'ofKnownCard') },
)

/** Response of `POST /api/checkout/zero-authorization/{merchantId}` (PROTOCOL.md 2.11). */
export const zeroAuthorizationResponse = z.strictObject({
  paymentId: filledText,
  /** Token of the saved card. Other services may omit this field and the next one. */
  token: returned(filledText),
  status: returned(z.string()),
})
export type ZeroAuthorizationResponse = z.infer<typeof zeroAuthorizationResponse>

/** Body of `POST /api/checkout/token/{merchantId}` (PROTOCOL.md 2.11, 11.8 and 11.10): charges a saved card. */
export const savedCardBody = z
  .strictObject({
    ...sharedCheckout,
    ...customerUsdc,
    /** Token of the saved card. */
    token: filledText,
    email: z.optional(filledText),
    address: z.optional(cardAddress),
    ...cardPayment,
  })
  .check(onlyOneUsdc())
export type SavedCardBody = z.infer<typeof savedCardBody>

const byPayment = z
  .strictObject({
    ...sharedCheckout,
    ...customerUsdc,
    /** The customer's earlier payment by card, or the zero authorization that saved the card. */
    originalPaymentId: filledText,
    email: z.optional(filledText),
    address: z.optional(cardAddress),
    ...cardPayment,
  })
  .check(onlyOneUsdc())

// a named type, so that TypeScript declarations do not repeat both options
export type CardOnFileBody = z.infer<typeof byPayment> | SavedCardBody

/** Body of `POST /api/checkout/card-on-file` (PROTOCOL.md 2.11, 11.8, 11.10): charges a saved card, or the card of an earlier payment. */
export const cardOnFileBody: SchemaOf<CardOnFileBody> = oneOf(
  { byPayment, savedCardBody },
  { pick: ({ token }) => (token === undefined ? 'byPayment' : 'savedCardBody') },
)

/** A saved card, as the customer sees it (PROTOCOL.md 11.22). */
export const savedCard = z.strictObject({
  token: filledText,
  lastFour: z.string(),
  firstSix: z.optional(z.string()),
  expMonth: z.optional(z.string()),
  expYear: z.optional(z.string()),
  createdAt: z.optional(dateTimeText),
})
export type SavedCard = z.infer<typeof savedCard>
