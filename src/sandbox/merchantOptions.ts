import type { SubscriptionPlan } from '../redeemkit/schema/subscription.ts'

/** A merchant of a sandbox. */
export type SandboxMerchant = {
  merchantId: string
  /** May do everything, from anywhere. */
  apiKey: string
  /** Further keys, each for what its scope says. */
  apiKeys?: readonly SandboxApiKey[] | undefined
  /** Name of the merchant's credit balance. Default: the merchant id. */
  creditSeed?: string | undefined
  /**
   * Signs the merchant's JWTs (HS256): those of `POST /api/checkout/jwt-token`, and the merchant's own `destinationAuthKey`. At
   * least 32 characters. Default: a random one, kept in the database.
   */
  jwtSecret?: string | undefined
  /** No checkout without a checkout JWT. Default false. */
  enforceCheckoutJwt?: boolean | undefined
  settings?: SandboxMerchantSettings | undefined
  /** Where webhooks are sent. Default: as it was, and at first nowhere. */
  webhookUrl?: string | undefined
  /** Signs webhooks. Default: as it was, and at first a random one. */
  webhookSecret?: string | undefined
  /** Subscription plans; those that the database has stay, and one of the same code becomes this one. */
  plans?: readonly SandboxPlan[] | undefined
}

/** A subscription plan of a merchant. `active` is by default true. */
type SandboxPlan = Omit<SubscriptionPlan, 'id' | 'active'> & { active?: boolean | undefined }

/** How a merchant of a sandbox sells. */
export type SandboxMerchantSettings = {
  /** Who pays for the gas of a payment's transaction. Default: as the sandbox is set. */
  gasFeePayer?: 'customer' | 'merchant' | undefined
  /** Checkouts need `chargebackProtectionData`. Default false: it is read where it comes (PROTOCOL.md 10.2). */
  chargebackProtection?: boolean | undefined
  /** An event `payment.presettle` before a payment settles. Default false. */
  sendPresettleWebhooks?: boolean | undefined
  /** Smallest subtotal in US cents. Default: any above zero. */
  minimumCents?: number | undefined
  /** Largest subtotal in US cents. Default: any. */
  maximumCents?: number | undefined
  /**
   * Pages that may show the card form, by their origins (`https://shop.example`). Default: the pages that may call the service, those
   * of this machine and of `allowedOrigins`.
   */
  whitelistedAncestorUrls?: readonly string[] | undefined
  /** No bank account that another withdrawer of the merchant uses, without an exemption. Default false. */
  banDuplicateAccounts?: boolean | undefined
  /** Countries (`KP`), and states of them (`US-NY`), whose customers are refused. Default: `CU`, `IR`, `KP`. */
  blockedPlaces?: readonly string[] | undefined
}

/** One of a merchant's further API keys. */
export type SandboxApiKey = {
  key: string
  /** Default: may do everything. */
  scope?:
    | 'admin'
    | 'editor'
    | 'chargeback'
    | 'chargeback_analyst'
    | 'viewer'
    | 'seller'
    | 'pos_device'
    | undefined
  /** IP addresses, and networks as `10.0.0.0/8`, that the key may come from. Default: any. */
  ips?: readonly string[] | undefined
  /** Refused as if it were not there. Default false. */
  disabled?: boolean | undefined
}

/** A country, or a state of one: ISO 3166-1 alpha-2, and 3166-2. */
export const placePattern = /^[A-Z]{2}(-[A-Z0-9]{1,3})?$/
