import * as z from 'zod/mini'
import { openEnum, returned } from './loose.ts'
import { oneOf } from './oneOf.ts'
import { cents, currencyCents, usdCents } from './subtotal.ts'
import { anyAddress, blockchain, dateTimeText, filledText, safeUint, selector } from './values.ts'

const statuses = ['pending', 'completed', 'failed'] as const

/** State of a mint or burn job (PROTOCOL.md 2.7 and 11.16). */
export const jobStatus = oneOf(
  {
    pending: z.strictObject({ status: z.literal('pending') }),
    completed: z.strictObject({ status: z.literal('completed'), value: returned(z.nullable(z.string())) }),
    failed: z.strictObject({ status: z.literal('failed'), error: returned(z.string()) }),
  },
  {
    pick: ({ status }) => statuses.find((known) => known === status),
    by: 'status',
    values: statuses,
  },
)
export type JobStatus = z.infer<typeof jobStatus>

/** Body of `POST /api/merchant/credits/mint` (PROTOCOL.md 2.7). */
export const mintBody = z.strictObject({
  wallet: anyAddress,
  blockchain,
  amount: cents,
  /** The service mints at most once for each key. */
  idempotencyKey: z.optional(filledText),
})
export type MintBody = z.infer<typeof mintBody>

/** Response of `POST /api/merchant/credits/mint` (PROTOCOL.md 2.7). The caller polls the status of the job. */
export const mintResponse = z.strictObject({
  /** Text; some services send a number. The client only uses it in a path. */
  jobId: z.union([filledText, safeUint], { error: 'expected text that is not empty, or a whole number' }),
})
export type MintResponse = z.infer<typeof mintResponse>

/** Body of `POST /api/merchant/credits/burn` (PROTOCOL.md 2.7): removes credits from a wallet. */
export const burnBody = z.strictObject({ ...mintBody.shape })
export type BurnBody = z.infer<typeof burnBody>

/** Response of `POST /api/merchant/credits/burn` (PROTOCOL.md 2.7). The caller polls the status of the job. */
export const burnResponse = z.strictObject({ ...mintResponse.shape })
export type BurnResponse = z.infer<typeof burnResponse>

/** Body of `POST /api/merchant/program` (PROTOCOL.md 2.7): requests a whitelist entry for a contract. */
export const programBody = z.strictObject({
  blockchain,
  /** Address of the contract or program. */
  programId: anyAddress,
  /** The function. If absent, the request is for every function of the contract. */
  selector: z.optional(selector),
})
export type ProgramBody = z.infer<typeof programBody>

export const refundReasons = ['userCancellation', 'failedFulfillment', 'buyerFraud', 'other'] as const

/** Body of `POST /api/merchant/payments/{paymentId}/refund` (PROTOCOL.md 2.11). */
export const refundBody = z.strictObject({
  refundReason: z.optional(z.enum(refundReasons)),
  /** Amount to refund, in cents of the payment's currency. If absent, the whole remaining amount is refunded. */
  partialAmount: z.optional(cents),
  /** Receiver of the refund of a token payment. */
  destinationWallet: z.optional(anyAddress),
  /** The service refunds at most once for each key. */
  idempotencyKey: z.optional(filledText),
})
export type RefundBody = z.infer<typeof refundBody>

/** A refund (PROTOCOL.md 11.22). */
export const refund = z.strictObject({
  id: returned(filledText),
  paymentId: returned(filledText),
  amount: returned(currencyCents),
  status: returned(openEnum(['pending', 'completed', 'failed'])),
  refundReason: z.optional(openEnum(refundReasons)),
  error: z.optional(z.string()),
  createdAt: returned(dateTimeText),
})
export type Refund = z.infer<typeof refund>

/** Response of `POST /api/merchant/payments/{paymentId}/refund` (PROTOCOL.md 2.11 and 11.22). */
export const refundResponse = z.strictObject({
  ...refund.shape,
  /** Id of the job, at services that refund in a job. */
  jobId: z.optional(mintResponse.shape.jobId),
})
export type RefundResponse = z.infer<typeof refundResponse>

const oneResponse = 'expected exactly one of response and fileKey'

/** Body of `POST /api/merchant/chargebacks/{paymentId}/respond` (PROTOCOL.md 2.7): either text or a file. */
export const chargebackResponseBody = oneOf(
  {
    text: z.strictObject({
      response: z.string(oneResponse).check(z.minLength(1, 'expected text that is not empty')),
    }),
    file: z.strictObject({ fileKey: filledText, response: z.optional(z.never(oneResponse)) }),
  },
  { pick: ({ fileKey }) => (fileKey === undefined ? 'text' : 'file') },
)
export type ChargebackResponseBody = z.infer<typeof chargebackResponseBody>

/** Body of `POST /api/seller/usdc-withdraw` (PROTOCOL.md 2.7). */
export const usdcWithdrawBody = z.strictObject({
  destination: anyAddress,
  amount: usdCents,
  /** The service withdraws at most once for each key. */
  idempotencyKey: z.optional(filledText),
})
export type UsdcWithdrawBody = z.infer<typeof usdcWithdrawBody>

/** Response of `POST /api/seller/usdc-withdraw` (PROTOCOL.md 2.7). */
export const usdcWithdrawResponse = z.strictObject({ transaction: filledText })
export type UsdcWithdrawResponse = z.infer<typeof usdcWithdrawResponse>
