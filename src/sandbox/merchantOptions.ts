import type { RoleScope } from '../redeemkit/schema/merchant.ts'
import type { SubscriptionPlan } from '../redeemkit/schema/subscription.ts'

/** The default merchant of a sandbox. */
export const defaultMerchantId = 'sandbox-shop'

/** A merchant of a sandbox. */
export type SandboxMerchant = {
  merchantId: string
  /** API key with all rights, from any address. */
  apiKey: string
  /** Further keys, each with a scope. */
  apiKeys?: readonly SandboxApiKey[] | undefined
  /** Name of the merchant's credit balance. Default: the merchant id. */
  creditSeed?: string | undefined
  /**
   * Signs the merchant's JWTs (HS256): those of `POST /api/checkout/jwt-token`, and the merchant's own
   * `destinationAuthKey`. At least 32 characters. Default: random, stored in the database.
   */
  jwtSecret?: string | undefined
  /** Requires a checkout JWT for every checkout. Default false. */
  enforceCheckoutJwt?: boolean | undefined
  settings?: SandboxMerchantSettings | undefined
  /** Webhook URL. Default: the stored one, initially none. */
  webhookUrl?: string | undefined
  /** Signs webhooks. Default: the stored one, initially random. */
  webhookSecret?: string | undefined
  /** Subscription plans. Stored plans stay; a plan with the same code is replaced. */
  plans?: readonly SandboxPlan[] | undefined
}

/** A subscription plan of a merchant. `active` defaults to true. */
type SandboxPlan = Omit<SubscriptionPlan, 'id' | 'active'> & { active?: boolean | undefined }

/** Sales settings of a merchant. */
export type SandboxMerchantSettings = {
  /** Who pays the gas of a payment's transaction. Default: the sandbox's setting. */
  gasFeePayer?: 'customer' | 'merchant' | undefined
  /**
   * Requires `chargebackProtectionData` and `x-device-id` in checkouts by card and mobile app, and for subscriptions. Default
   * true (PROTOCOL.md 10.2).
   */
  chargebackProtection?: boolean | undefined
  /** Asks for the 3DS challenge of a card or of the merchant. Default true (PROTOCOL.md 10.2). */
  threeDs?: boolean | undefined
  /** Asks for a challenge for every card whose payment has a subtotal above this, in US cents. Default: none (PROTOCOL.md 11.15). */
  threeDsAboveCents?: number | undefined
  /** Fees of a payment by card that the customer pays. Default: none (PROTOCOL.md 10.2). */
  cardFees?: SandboxCardFees | undefined
  /** Sends an event `payment.presettle` before a payment settles. Default false. */
  sendPresettleWebhooks?: boolean | undefined
  /** Minimum subtotal in US cents. Default: any above zero. */
  minimumCents?: number | undefined
  /** Maximum subtotal in US cents. Default: none. */
  maximumCents?: number | undefined
  /**
   * Origins of pages that may embed the card form (`https://shop.example`). Default: the origins that may call the
   * service, which are those of this machine and `allowedOrigins`.
   */
  whitelistedAncestorUrls?: readonly string[] | undefined
  /** Rejects bank accounts that another withdrawer of the merchant uses, without an exemption. Default false. */
  banDuplicateAccounts?: boolean | undefined
  /** Optional fields that bank accounts must have, for example for a check of the payee's name. Default: none. */
  requestedAccountFields?: readonly ('accountHolder' | 'bic')[] | undefined
  /** Countries (`KP`) and states (`US-NY`) whose customers are rejected. Default: `CU`, `IR`, `KP`. */
  blockedPlaces?: readonly string[] | undefined
}

/** `fixedFee`, `variableFeeBps` and `networkFeeBps` of a merchant's card settings (PROTOCOL.md 11.15). */
type SandboxCardFees = {
  /** US cents. */
  fixedCents?: number | undefined
  /** Hundredths of a percent of the subtotal: 290 is 2.9 %. */
  variableBps?: number | undefined
  /** Like `variableBps`, on a line of its own. */
  networkBps?: number | undefined
}

/** A further API key of a merchant. */
export type SandboxApiKey = {
  key: string
  /** Default: all rights. */
  scope?: RoleScope | undefined
  /** IP addresses and networks (`10.0.0.0/8`) that may use the key. Default: any. */
  ips?: readonly string[] | undefined
  /** Rejects the key like an unknown one. Default false. */
  disabled?: boolean | undefined
}

/** A country or state: ISO 3166-1 alpha-2 or 3166-2. */
export const placePattern = /^[A-Z]{2}(-[A-Z0-9]{1,3})?$/
