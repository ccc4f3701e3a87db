import { checkoutEndpoints } from './checkout.ts'
import {
  authEndpoints,
  customerEndpoints,
  redeemEndpoints,
  subscriptionEndpoints,
  utilsEndpoints,
} from './customer.ts'
import { merchantEndpoints, sellerEndpoints, withdrawEndpoints } from './merchant.ts'

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
