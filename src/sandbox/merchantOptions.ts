import type { RoleScope } from '../redeemkit/schema/merchant.ts'
import type { SubscriptionPlan } from '../redeemkit/schema/subscription.ts'

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
   * Secret that signs the merchant's JWTs (HS256): those of `POST /api/checkout/jwt-token`, and the merchant's own
   * `destinationAuthKey`. At least 32 characters. Default: random, stored in the database.
   */
  jwtSecret?: string | undefined
  /** Requires a checkout JWT for every checkout. Default false. */
  enforceCheckoutJwt?: boolean | undefined
  /** Sales settings: limits, gas fee payer, card fees, chargeback protection. */
  settings?: SandboxMerchantSettings | undefined
  /** Webhook URL. Default: the stored URL; initially none. */
  webhookUrl?: string | undefined
  /** Secret that signs webhooks. Default: the stored secret; initially random. */
  webhookSecret?: string | undefined
  /** Subscription plans. Plans in the database are kept; one with the same code is replaced. */
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
  /** Whether a card or the merchant can request a 3DS challenge. False: no card is challenged. Default true (PROTOCOL.md 10.2). */
  threeDs?: boolean | undefined
  /** Subtotal in US cents above which every card payment requires a challenge. Default: none (PROTOCOL.md 11.15). */
  threeDsAboveCents?: number | undefined
  /** Card payment fees that the customer pays. Default: none (PROTOCOL.md 10.2). */
  cardFees?: SandboxCardFees | undefined
  /** Sends an event `payment.presettle` before a payment settles. Default false. */
  sendPresettleWebhooks?: boolean | undefined
  /** Minimum subtotal in US cents. Default: any above zero. */
  minimumCents?: number | undefined
  /** Maximum subtotal in US cents. Default: none. */
  maximumCents?: number | undefined
  /**
   * Origins of pages that may embed the card form (`https://shop.example`). Default: the origins that may call the service,
   * which are this machine's and those in `allowedOrigins`.
   */
  whitelistedAncestorUrls?: readonly string[] | undefined
  /** Rejects a bank account that another withdrawer of the merchant already uses, unless exempt. Default false. */
  banDuplicateAccounts?: boolean | undefined
  /** Optional fields that bank accounts must have, for example to check the payee's name. Default: none. */
  requestedAccountFields?: readonly ('accountHolder' | 'bic')[] | undefined
  /** Countries (`KP`) and states (`US-NY`) whose customers are rejected. Default: `CU`, `IR`, `KP`. */
  blockedPlaces?: readonly string[] | undefined
}

/** `fixedFee`, `variableFeeBps` and `networkFeeBps` of a merchant's card settings (PROTOCOL.md 11.15). */
type SandboxCardFees = {
  /** Fixed fee in US cents. */
  fixedCents?: number | undefined
  /** Hundredths of a percent of the subtotal: 290 is 2.9 %. */
  variableBps?: number | undefined
  /** Like `variableBps`, but listed separately as the network fee. */
  networkBps?: number | undefined
}

/** A further API key of a merchant. */
export type SandboxApiKey = {
  key: string
  /** Role of the key. Default: all rights. */
  scope?: RoleScope | undefined
  /** IP addresses and networks (`10.0.0.0/8`) that may use the key. Default: any. */
  ips?: readonly string[] | undefined
  /** Whether the key is rejected like an unknown key. Default false. */
  disabled?: boolean | undefined
}

/** Matches a country or state: ISO 3166-1 alpha-2 or 3166-2. */
export const placePattern = /^[A-Z]{2}(-[A-Z0-9]{1,3})?$/
