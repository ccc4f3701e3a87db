import type { MerchantClient } from 'redeemkit/merchant'
import type { Blockchain } from 'redeemkit/schema'

type Outcome = 'pending' | 'completed' | 'failed'

/**
 * Refunds a payment by card, wire, Pix or mobile app to its original payment method.
 *
 * @param refund.id idempotency key: store it before the first call
 * @param refund.cents part to refund. Default: the full remaining amount
 */
export async function refundPayment(
  merchant: MerchantClient,
  refund: { id: string; paymentId: string; cents?: number },
): Promise<Outcome> {
  const { id, paymentId, cents } = refund
  const { jobId, status } = await merchant.refundPayment({
    paymentId,
    body: {
      refundReason: 'userCancellation',
      idempotencyKey: id,
      ...(cents !== undefined && { partialAmount: { cents } }),
    },
  })
  // Some services make the refund later, in a job.
  return outcomeOf(jobId === undefined ? { status } : await merchant.getJobStatus({ jobId }))
}

/** Refunds a redeem: mints the same amount as credits of the customer's wallet. */
export async function refundRedeem(
  merchant: MerchantClient,
  refund: { id: string; wallet: string; blockchain: Blockchain; cents: number },
): Promise<Outcome> {
  const { id, wallet, blockchain, cents } = refund
  const { jobId } = await merchant.mintCredits({
    body: { wallet, blockchain, amount: { cents }, idempotencyKey: id },
  })
  return outcomeOf(await merchant.getJobStatus({ jobId }))
}

function outcomeOf({ status }: { status?: string | undefined }): Outcome {
  return status === 'completed' || status === 'failed' ? status : 'pending'
}
