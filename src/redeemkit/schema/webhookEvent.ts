import * as z from 'zod/mini'
import { openEnum } from './loose.ts'
import { oneOf } from './oneOf.ts'
import { payment } from './payment.ts'
import { subscription } from './subscription.ts'
import { cents } from './subtotal.ts'
import {
  anyAddress,
  blockchain,
  bytes32,
  dateTimeText,
  evmAddress,
  filledText,
  freeObject,
  orderKey,
  type SchemaOf,
  safeUint,
  selector,
  uintText,
} from './values.ts'
import { verificationStatus } from './verification.ts'

const text = z.optional(z.string())

/**
 * The data of a `redeem.*` event (PROTOCOL.md 10.4). Amounts are raw units with 6 decimals, as decimal text.
 *
 * A `redeem.redeemed` event of a service with intent-bound permits has every field down to `logIndex`. Services with random nonces send
 * only some of these fields.
 */
export const redeemEventData = z.strictObject({
  merchantId: filledText,
  wallet: anyAddress,
  blockchain,
  nonce: bytes32,
  /** The first 12 bytes of the nonce. Compare it with `orderKey({ merchantId, purchaseId })`. */
  orderKey: z.optional(orderKey),
  hash: z.optional(bytes32),
  chainId: z.optional(safeUint),
  creditsContract: z.optional(evmAddress),
  creditSeed: z.optional(filledText),
  /** What the redeem executed: the shape of its transactionData (PROTOCOL.md 11.6). */
  kind: z.optional(filledText),
  /** The settlement's target: for shape `token` the receiver of the USDC, otherwise the called contract. */
  receiver: z.optional(evmAddress),
  /** The settlement's amount. The settlement spent `amount - refunded`. */
  amount: z.optional(uintText),
  /** The part of `amount` that the customer paid in USDC. */
  usdcAmount: z.optional(uintText),
  /** The charge in credits, including the gas fee. */
  charged: z.optional(uintText),
  /** The unspent part of `amount`, returned as credits. */
  refunded: z.optional(uintText),
  gasFee: z.optional(uintText),
  blockNumber: z.optional(safeUint),
  /** Index of the log in its block. Chain, transaction hash and log index together identify the event. */
  logIndex: z.optional(safeUint),
  /** The order id that the customer's page sent. `orderKey` is derived from it, which does not prove the price. */
  purchaseId: z.optional(filledText),
  /** The data that the customer's page sent. Do not trust it. */
  webhookInfo: z.optional(freeObject),
  error: text,
})
export type RedeemEventData = z.infer<typeof redeemEventData>

/** The data of a `credits.*` event, which reports a mint or a burn (PROTOCOL.md 10.4). */
export const creditsEventData = z.strictObject({
  jobId: filledText,
  wallet: anyAddress,
  blockchain,
  amount: cents,
  hash: z.optional(z.string()),
  error: text,
})
export type CreditsEventData = z.infer<typeof creditsEventData>

/** The data of a `withdrawal.*` event, which reports a payout or the progress of a verification (PROTOCOL.md 10.4). */
export const withdrawalEventData = z.strictObject({
  /** Id of the payout, the same in all of its events. */
  withdrawalId: text,
  /** The payout's `transaction` from the response of `usdc-withdraw`. */
  transaction: text,
  destination: z.optional(anyAddress),
  amount: z.optional(cents),
  userId: text,
  wallet: z.optional(anyAddress),
  blockchain: z.optional(blockchain),
  verification: z.optional(verificationStatus),
  error: text,
})
export type WithdrawalEventData = z.infer<typeof withdrawalEventData>

/** The data of a `whitelist.*` event (PROTOCOL.md 10.4). */
export const whitelistEventData = z.strictObject({
  blockchain,
  programId: anyAddress,
  selector: z.optional(selector),
  status: z.enum(['pending', 'approved', 'rejected']),
})
export type WhitelistEventData = z.infer<typeof whitelistEventData>

/** All event types, grouped by the record of their data (PROTOCOL.md 10.4). */
export const webhookEventTypes = {
  payment: [
    'payment.created',
    'payment.authorized',
    'payment.presettle',
    'payment.settled',
    'payment.expired',
    'payment.voided',
    'payment.failed',
    'payment.disputed',
    'payment.won',
    'payment.lost',
    'payment.refunded',
  ],
  redeem: ['redeem.sent', 'redeem.redeemed', 'redeem.reverted'],
  subscription: [
    'subscription.created',
    'subscription.active',
    'subscription.canceled',
    'subscription.expired',
    'subscription.concluded',
    'subscription.failed',
    'subscription.blocked',
  ],
  credits: ['credits.minted', 'credits.burned', 'credits.failed'],
  withdrawal: ['withdrawal.pending', 'withdrawal.completed', 'withdrawal.failed', 'withdrawal.verification'],
  whitelist: ['whitelist.requested', 'whitelist.approved', 'whitelist.rejected'],
} as const
export type WebhookEventType = (typeof webhookEventTypes)[keyof typeof webhookEventTypes][number]

const families = ['payment', 'redeem', 'subscription', 'credits', 'withdrawal', 'whitelist'] as const

const event = {
  /** Id of the event. It stays the same if the service sends the event again. */
  id: filledText,
  createdAt: dateTimeText,
}
const types = webhookEventTypes
const knownEvents = {
  payment: z.strictObject({ ...event, type: z.enum(types.payment), data: payment }),
  redeem: z.strictObject({ ...event, type: z.enum(types.redeem), data: redeemEventData }),
  subscription: z.strictObject({ ...event, type: z.enum(types.subscription), data: subscription }),
  credits: z.strictObject({ ...event, type: z.enum(types.credits), data: creditsEventData }),
  withdrawal: z.strictObject({ ...event, type: z.enum(types.withdrawal), data: withdrawalEventData }),
  whitelist: z.strictObject({ ...event, type: z.enum(types.whitelist), data: whitelistEventData }),
}
export type WebhookEvent = z.infer<(typeof knownEvents)[keyof typeof knownEvents]>

const otherEvent = z.strictObject({
  ...event,
  type: openEnum(families.flatMap((family): readonly string[] => types[family])),
  data: freeObject,
})

/**
 * The body of a webhook (PROTOCOL.md 10.4). `type` determines `data`. The `loose` version also accepts event types of other services, so
 * your handler must ignore unknown types.
 */
export const webhookEvent = oneOf(
  { ...knownEvents, other: otherEvent },
  {
    // `type` can be any value
    pick: ({ type }) =>
      families.find((family) => (types[family] as readonly unknown[]).includes(type)) ?? 'other',
  },
) as SchemaOf<WebhookEvent> // the type has only known event types, so that `type` narrows `data`
