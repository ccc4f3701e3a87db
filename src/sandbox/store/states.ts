import { settlementKinds } from '../../redeemkit/evm/transactionData/settlementOf.ts'
import { paymentStatus } from '../../redeemkit/schema/payment.ts'
import { subscriptionPlan, subscriptionStatus } from '../../redeemkit/schema/subscription.ts'
import type { TransactionDataKind } from '../../redeemkit/schema/transactionDataKind.ts'
import { verificationStatus } from '../../redeemkit/schema/verification.ts'
import { availabilityStatus } from '../../redeemkit/schema/withdrawal.ts'

/** `journalled` → `broadcast` → `mined` | `reverted`, or `dropped` when its nonce was used otherwise. */
export const transactionStates = ['journalled', 'broadcast', 'mined', 'reverted', 'dropped'] as const
/** A transaction in one of these is followed; in the others nothing more happens to it. */
export const openTransactionStates = ['journalled', 'broadcast'] as const
export type TransactionState = (typeof transactionStates)[number]

/**
 * `sending` → `redeemed` | `reverted`; a reverted one may be sent again. One that failed in a batch is `alone` until the relayer
 * has sent it again by itself.
 */
export const redeemStates = ['sending', 'alone', 'redeemed', 'reverted'] as const
/** A redeem in one of these may take from its wallet at any moment. */
export const openRedeemStates = ['sending', 'alone'] as const

/** The shape that a redeem has. */
export const redeemShapes = Object.keys(settlementKinds) as [TransactionDataKind, ...TransactionDataKind[]] // its keys, by its type

/** `pending` → `completed` | `failed`. */
export const jobStates = ['pending', 'completed', 'failed'] as const
export const jobTypes = ['mint', 'burn'] as const
export type JobType = (typeof jobTypes)[number]

/** `pending` → `completed` | `failed`. */
export const sellerWithdrawalStates = ['pending', 'completed', 'failed'] as const

/** `pending` → `approved` | `rejected`. The chain's own whitelist is what counts. */
export const programStates = ['pending', 'approved', 'rejected'] as const

/** `prepared` → `journalled` → `settled` | `failed` | `expired`; what is refused before it was sent stays `prepared`. */
export const usdcTransferStates = ['prepared', 'journalled', 'settled', 'failed', 'expired'] as const

/** The chains on which the service settles USDC transfers that it sponsors. */
export const transferBlockchains = ['solana', 'stellar'] as const
export type TransferBlockchain = (typeof transferBlockchains)[number]

/** `journalled` → `settled` | `failed`, or `dropped` when it can land no more. */
export const stellarSettlementStates = ['journalled', 'settled', 'failed', 'dropped'] as const

/** `pending` → `executed` | `claimable`. */
export const bridgeMessageStates = ['pending', 'executed', 'claimable'] as const

/** What a payment is paid by. */
export { type PaymentRail, paymentRails } from '../../redeemkit/schema/payment.ts'

/** Why money went back. */
export const refundReasons = ['userCancellation', 'failedFulfillment', 'buyerFraud', 'other'] as const

/** States of a payment (PROTOCOL.md 10.1). */
export const paymentStates = paymentStatus.options

/** What a card does when it is charged. `unknown`: none of the published test cards. */
export const cardBehaviours = [
  'approved',
  'declined',
  'insufficientFunds',
  'fraud',
  'challenge',
  'declinedLater',
  'unknown',
] as const
export type CardBehaviour = (typeof cardBehaviours)[number]

/** `pending` → `approved` | `failed`, by the customer; `approved` → `used`, by the checkout. */
export const cardChallengeStates = ['pending', 'approved', 'failed', 'used'] as const

/** States of a subscription (PROTOCOL.md 10.5), and how often it is paid. */
export const subscriptionStates = subscriptionStatus.options
export const planIntervals = subscriptionPlan.shape.interval.options
export type PlanInterval = (typeof planIntervals)[number]

/** `pending` → `delivered` | `failed`; sent again, it is pending anew. */
export const webhookDeliveryStates = ['pending', 'delivered', 'failed'] as const

/** States of a verification, and of a withdrawer's availability (PROTOCOL.md 10.6). */
export const verificationStates = verificationStatus.options
export const availabilityStates = availabilityStatus.options
