import * as z from 'zod/mini'
import { blockchains } from '../core/blockchains.ts'
import { chargebackProtectionData } from './cartItem.ts'
import { cardAddress, cardExtras, feePercentage, webhookInfo } from './checkout.ts'
import { customerInfo } from './customerInfo.ts'
import { orPlain } from './loose.ts'
import { cents, currencyCents } from './subtotal.ts'
import { blockchain, dateTimeText, filledText, safeUint } from './values.ts'

/** A subscription plan (PROTOCOL.md 11.12). */
export const subscriptionPlan = z.strictObject({
  id: filledText,
  name: z.string(),
  /** The plan's code, which paths accept in place of the id. */
  code: filledText,
  interval: z.enum(['Daily', 'Weekly', 'Monthly', 'Yearly']),
  amount: currencyCents,
  active: z.boolean(),
  duration: z.optional(safeUint),
  description: z.optional(z.string()),
  transaction: z.optional(z.string()),
  /** Any blockchain except `user` (PROTOCOL.md 11.12). */
  settlementChain: z.optional(z.enum(blockchains.filter((name) => name !== 'user'))),
  merchantInitiated: z.optional(z.boolean()),
})
export type SubscriptionPlan = z.infer<typeof subscriptionPlan>

/** The states of a subscription (PROTOCOL.md 10.5). */
export const subscriptionStatus = z.enum(['Active', 'Canceled', 'Expired', 'Concluded', 'Failed', 'Blocked'])
export type SubscriptionStatus = z.infer<typeof subscriptionStatus>

/** A customer's subscription to a plan (PROTOCOL.md 11.12). */
export const subscription = z.strictObject({
  id: filledText,
  customerId: filledText,
  merchantId: filledText,
  email: z.string(),
  /** Name of the plan. */
  plan: z.string(),
  planCode: filledText,
  status: subscriptionStatus,
  blockchain: z.optional(blockchain),
  nextPaymentAt: z.optional(dateTimeText),
})
export type Subscription = z.infer<typeof subscription>

/** Body of `POST /api/subscription/{merchantId}/subscribers/token` (PROTOCOL.md 2.8). */
export const purchaseSubscriptionBody = z.strictObject({
  planCode: filledText,
  /** Token of the saved card. */
  token: filledText,
  customerInfo: z.optional(customerInfo),
  webhookInfo: z.optional(webhookInfo),
  chargebackProtectionData: z.optional(chargebackProtectionData),
  ...cardExtras,
  feePercentage: z.optional(feePercentage),
  fixedFee: z.optional(cents),
  address: z.optional(cardAddress),
})
export type PurchaseSubscriptionBody = z.infer<typeof purchaseSubscriptionBody>

/** Response of `POST /api/subscription/{merchantId}/subscribers/token` (PROTOCOL.md 2.8). */
export const purchaseSubscriptionResponse = orPlain(
  z.strictObject({ subscriptionId: filledText, paymentId: filledText }),
)
export type PurchaseSubscriptionResponse = z.infer<typeof purchaseSubscriptionResponse>
