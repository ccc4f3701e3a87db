import type { Hex } from 'viem'
import { settlementKinds } from '../../redeemkit/evm/transactionData/settlementKinds.ts'
import { paymentStatus } from '../../redeemkit/schema/payment.ts'
import { subscriptionPlan, subscriptionStatus } from '../../redeemkit/schema/subscription.ts'
import type { TransactionData } from '../../redeemkit/schema/transactionData.ts'
import type { TransactionDataKind } from '../../redeemkit/schema/transactionDataKind.ts'
import type { UsdcAuthorizationV1, UsdcAuthorizationV2 } from '../../redeemkit/schema/usdcAuthorization.ts'
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

/** What a payment does once it settles, as the checkout body said it. Plain JSON. */
export type CarriedByPayment = {
  transactionData?: TransactionData | undefined
  customerUsdcTransferData?: UsdcAuthorizationV1 | undefined
  customerUsdcTransferDataV2?: UsdcAuthorizationV2 | undefined
  /** The order that the customer's USDC authorization pays, and the salt of its nonce. */
  orderKey?: Hex | undefined
  salt?: Hex | undefined
  stellarTransaction?: string | undefined
  settlementType?: 'Credits' | 'USDC' | undefined
  /** Of `destinationAuthKey`, once it was verified: who receives instead of the merchant. */
  destination?: string | undefined
}

/** What a line of a payment's total is for: the field of the totals record that it adds to. */
export type PaymentLineKind = 'subtotal' | 'payInFees' | 'marketplaceFees' | 'gasFees' | 'rent'

/** A line of a payment's total, in cents of the currency that is charged. Plain JSON. */
export type PaymentLine = { kind: PaymentLineKind; label: string; cents: number }

/** What an API key may be for: the roles of a merchant's people (PROTOCOL.md 1.3). */
export const keyScopes = [
  'admin',
  'editor',
  'chargeback',
  'chargeback_analyst',
  'viewer',
  'seller',
  'pos_device',
] as const
export type KeyScope = (typeof keyScopes)[number]
