import type { Hex } from 'viem'
import { settlementKinds } from '../../redeemkit/evm/transactionData/settlementOf.ts'
import { type RoleScope, roleScope } from '../../redeemkit/schema/merchant.ts'
import { paymentStatus } from '../../redeemkit/schema/payment.ts'
import { subscriptionPlan, subscriptionStatus } from '../../redeemkit/schema/subscription.ts'
import type { TransactionData } from '../../redeemkit/schema/transactionData.ts'
import type { TransactionDataKind } from '../../redeemkit/schema/transactionDataKind.ts'
import type { UsdcAuthorizationV1, UsdcAuthorizationV2 } from '../../redeemkit/schema/usdcAuthorization.ts'
import { verificationStatus } from '../../redeemkit/schema/verification.ts'
import { availabilityStatus } from '../../redeemkit/schema/withdrawal.ts'

/** `journalled` → `broadcast` → `mined` | `reverted`, or `dropped` if another transaction used its nonce. */
export const transactionStates = ['journalled', 'broadcast', 'mined', 'reverted', 'dropped'] as const
/** States of transactions that the relayer follows. All other states are final. */
export const openTransactionStates = ['journalled', 'broadcast'] as const
export type TransactionState = (typeof transactionStates)[number]

/**
 * `sending` → `redeemed` | `reverted`. A reverted redeem may be sent again. A redeem that failed in a batch is `alone` until the
 * relayer has sent it in its own transaction.
 */
export const redeemStates = ['sending', 'alone', 'redeemed', 'reverted'] as const
/** States in which a redeem may still spend from its wallet. */
export const openRedeemStates = ['sending', 'alone'] as const

export const redeemShapes = Object.keys(settlementKinds) as [TransactionDataKind, ...TransactionDataKind[]] // `Object.keys` loses this type

export const jobStates = ['pending', 'completed', 'failed'] as const
export const jobTypes = ['mint', 'burn'] as const
export type JobType = (typeof jobTypes)[number]

export const sellerWithdrawalStates = ['pending', 'completed', 'failed'] as const

/** `pending` → `approved` | `rejected`. On EVM chains, the chain's own whitelist decides. */
export const programStates = ['pending', 'approved', 'rejected'] as const

/** `prepared` → `journalled` → `settled` | `failed` | `expired`. A transfer that was rejected before sending stays `prepared`. */
export const usdcTransferStates = ['prepared', 'journalled', 'settled', 'failed', 'expired'] as const

export const transferBlockchains = ['solana', 'stellar'] as const
export type TransferBlockchain = (typeof transferBlockchains)[number]

/** `journalled` → `settled` | `failed`, or `dropped` if the transaction can no longer be confirmed. */
export const stellarSettlementStates = ['journalled', 'settled', 'failed', 'dropped'] as const

export const bridgeMessageStates = ['pending', 'executed', 'claimable'] as const

export { refundReasons } from '../../redeemkit/schema/merchantOperations.ts'
export { type PaymentRail, paymentRails } from '../../redeemkit/schema/payment.ts'

/** States of a payment (PROTOCOL.md 10.1). */
export const paymentStates = paymentStatus.options

/** Behaviour of a test card. `unknown`: any other card. */
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

/** `pending` → `approved` | `failed`, set by the customer's answer; `approved` → `used`, set by the checkout. */
export const cardChallengeStates = ['pending', 'approved', 'failed', 'used'] as const

/** States of a subscription (PROTOCOL.md 10.5). */
export const subscriptionStates = subscriptionStatus.options
export const planIntervals = subscriptionPlan.shape.interval.options
export type PlanInterval = (typeof planIntervals)[number]

/** `pending` → `delivered` | `failed`; `pending` again after a resend. */
export const webhookDeliveryStates = ['pending', 'delivered', 'failed'] as const

/** States of a verification (PROTOCOL.md 10.6). */
export const verificationStates = verificationStatus.options
export const availabilityStates = availabilityStatus.options

/** A payment's settlement, as requested in the checkout's body. JSON values only. */
export type CarriedByPayment = {
  transactionData?: TransactionData | undefined
  customerUsdcTransferData?: UsdcAuthorizationV1 | undefined
  customerUsdcTransferDataV2?: UsdcAuthorizationV2 | undefined
  /** The order key that the customer's USDC authorization pays, and the salt of its nonce. */
  orderKey?: Hex | undefined
  salt?: Hex | undefined
  stellarTransaction?: string | undefined
  settlementType?: 'Credits' | 'USDC' | undefined
  /** The verified receiver from `destinationAuthKey`, to which the amount goes instead of the merchant. */
  destination?: string | undefined
}

/** The field of the totals record to which a line is added. */
export type PaymentLineKind =
  | 'subtotal'
  | 'creditCardFees'
  | 'networkFees'
  | 'payInFees'
  | 'marketplaceFees'
  | 'gasFees'
  | 'rent'

/** A line of a payment's total, in cents of the charged currency. JSON values only. */
export type PaymentLine = { kind: PaymentLineKind; label: string; cents: number }

/** Scopes of API keys (PROTOCOL.md 1.3). */
export const keyScopes = roleScope.options
export type KeyScope = RoleScope
