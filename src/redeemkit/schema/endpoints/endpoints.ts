import { authEndpoints } from './auth.ts'
import { checkoutEndpoints } from './checkout.ts'
import { customerEndpoints } from './customer.ts'
import { merchantEndpoints } from './merchant.ts'
import { redeemEndpoints } from './redeem.ts'
import { sellerEndpoints } from './seller.ts'
import { subscriptionEndpoints } from './subscription.ts'
import { utilsEndpoints } from './utils.ts'
import { withdrawEndpoints } from './withdraw.ts'

/** Every call of PROTOCOL.md 2.1 under `/api`. */
export const endpoints = [
  ...authEndpoints,
  ...redeemEndpoints,
  ...checkoutEndpoints,
  ...customerEndpoints,
  ...subscriptionEndpoints,
  ...merchantEndpoints,
  ...sellerEndpoints,
  ...withdrawEndpoints,
  ...utilsEndpoints,
] as const
