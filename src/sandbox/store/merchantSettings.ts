/** How a merchant sells. What is absent has its default. Plain JSON. */
export type MerchantSettings = {
  /** Who pays for the gas of a payment's transaction. Default: as the service is set. */
  gasFeePayer?: 'customer' | 'merchant' | undefined
  /** Checkouts need `chargebackProtectionData`. Default false. */
  chargebackProtection?: boolean | undefined
  /** Smallest and largest subtotal in US cents. Default: any above zero. */
  minimumCents?: number | undefined
  maximumCents?: number | undefined
}
