import { randomBytes, randomUUID } from 'node:crypto'
import { orderKey } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import type { PaymentStatus } from '../../../redeemkit/schema/payment.ts'
import type { SubscriptionStatus } from '../../../redeemkit/schema/subscription.ts'
import type {
  RedeemEventData,
  WebhookEvent,
  WebhookEventType,
  webhookEventTypes,
} from '../../../redeemkit/schema/webhookEvent.ts'
import { paymentMeanings } from '../payments/paymentMeanings.ts'

/** Returns made-up data for an event of this type, with a fictitious customer and purchase (PROTOCOL.md 10.4). */
export function sampleEventData(
  type: WebhookEventType,
  context: { merchantId: string; at: Date },
): WebhookEvent['data'] {
  const [family = '', happened = ''] = type.split('.')
  switch (
    family as keyof typeof webhookEventTypes // every type begins with a family
  ) {
    case 'payment':
      return samplePayment(happened, context)
    case 'redeem':
      return sampleRedeem(happened, context)
    case 'subscription':
      return sampleSubscription(happened, context)
    case 'credits':
      return {
        jobId: randomUUID(),
        wallet: sampleWallet,
        blockchain: 'base',
        amount: { cents: 1_000 },
        ...(happened === 'failed' ? { error: 'The transaction was reverted.' } : { hash: randomHash() }),
      }
    case 'withdrawal':
      return happened === 'verification'
        ? { userId: 'user-1', wallet: sampleWallet, blockchain: 'base', verification: 'approved' }
        : {
            withdrawalId: `wd_${randomUUID()}`,
            ...(happened !== 'pending' && { transaction: randomHash() }),
            blockchain: 'base',
            destination: sampleWallet,
            amount: { cents: 5_000 },
            ...(happened === 'failed' && { error: 'The transaction was reverted.' }),
          }
    case 'whitelist':
      return {
        blockchain: 'base',
        programId: sampleContract,
        selector: '0xa0712d68',
        status: happened === 'requested' ? 'pending' : happened === 'approved' ? 'approved' : 'rejected',
      }
  }
}

function sampleRedeem(happened: string, { merchantId }: { merchantId: string }): RedeemEventData {
  const purchaseId = randomBytes(16).toString('hex')
  const key = orderKey({ merchantId, purchaseId })
  return {
    merchantId,
    wallet: sampleWallet,
    blockchain: 'base',
    nonce: `${key}${randomBytes(20).toString('hex')}`,
    orderKey: key,
    hash: randomHash(),
    ...(happened === 'redeemed' && {
      chainId: 84_532,
      creditsContract: sampleContract,
      creditSeed: merchantId,
      kind: 'token',
      receiver: sampleReceiver,
      amount: '10000000',
      usdcAmount: '0',
      charged: '10010000',
      refunded: '0',
      gasFee: '10000',
      blockNumber: 12_345_678,
      logIndex: 2,
    }),
    ...(happened === 'reverted' && { error: 'The transaction was reverted.' }),
    purchaseId,
  }
}

const sampleReceiver = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const sampleWallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const sampleContract = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const randomHash = () => `0x${randomBytes(32).toString('hex')}` as const

/** The payment's state, for events that are not named after a state. */
const otherStatuses: Readonly<Record<string, PaymentStatus>> = {
  presettle: 'authorized',
  refunded: 'settled',
}

function samplePayment(happened: string, context: { merchantId: string; at: Date }) {
  const isRefund = happened === 'refunded'
  const subtotal = { cents: 1_000, currency: 'USD' } as const
  // The other events of this family are named after states.
  const status = otherStatuses[happened] ?? (happened as PaymentStatus)
  const { isPaid, isDecided } = paymentMeanings[status]
  const at = context.at.toISOString()
  return {
    paymentId: `pay_${randomUUID()}`,
    status,
    merchantId: context.merchantId,
    rail: happened === 'expired' ? 'pix' : 'card',
    userId: 'user-1',
    wallet: sampleWallet,
    blockchain: 'base' as const,
    subtotal,
    ...(isRefund && { refunded: subtotal }),
    email: 'customer@shop.example',
    ...(happened !== 'expired' && { card: { token: 'tok_sample', lastFour: '0012' } }),
    ...(isPaid && isDecided && { hash: randomHash() }),
    ...(happened === 'failed' && { error: 'The card was declined.' }),
    createdAt: at,
    updatedAt: at,
  }
}

const stateAfter: Readonly<Record<string, SubscriptionStatus>> = {
  created: 'Active',
  active: 'Active',
  canceled: 'Canceled',
  expired: 'Expired',
  concluded: 'Concluded',
  failed: 'Failed',
  blocked: 'Blocked',
}

function sampleSubscription(happened: string, context: { merchantId: string; at: Date }) {
  const status = stateAfter[happened] ?? 'Active'
  return {
    id: `sub_${randomUUID()}`,
    customerId: 'user-1',
    merchantId: context.merchantId,
    email: 'customer@shop.example',
    plan: 'Gold, monthly',
    planCode: 'gold-monthly',
    status,
    blockchain: 'base' as const,
    ...(status === 'Active' && {
      nextPaymentAt: new Date(context.at.getTime() + 30 * 86_400_000).toISOString(),
    }),
  }
}
