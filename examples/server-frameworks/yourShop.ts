import { orderKey } from 'redeemkit/merchant'
import type { Payment, RedeemEventData } from 'redeemkit/schema'

// A stand-in for your own sessions and your own database, in memory.

type Order = { id: string; userId: string; cents: number; state: 'open' | 'paid' }

export const orders = new Map<string, Order>()
const seen = new Set<string>()

export async function userOf(request: Request): Promise<{ id: string } | undefined> {
  const id = /\bsession=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1]
  return id === undefined ? undefined : { id }
}

export async function findOrder(userId: string | undefined, id: unknown): Promise<Order | undefined> {
  const order = orders.get(String(id))
  return order?.userId === userId && order?.state === 'open' ? order : undefined
}

/** Records a redeem once. The guide on orders shows what a real shop compares. */
export async function recordRedeem(data: RedeemEventData): Promise<void> {
  const merchantId = process.env.REDEEMKIT_MERCHANT_ID ?? ''
  const order = [...orders.values()].find(
    ({ id }) => orderKey({ merchantId, purchaseId: id }) === data.orderKey,
  )
  const spent = BigInt(data.amount ?? 0) - BigInt(data.refunded ?? 0)
  pay(`${data.chainId} ${data.hash} ${data.logIndex}`, order, Number(spent / 10_000n))
}

/** Records a payment by card, wire or Pix once. */
export async function recordPayment(data: Payment): Promise<void> {
  pay(data.paymentId, orders.get(String(data.webhookInfo?.orderId)), data.subtotal?.cents)
}

function pay(eventKey: string, order: Order | undefined, cents: number | undefined): void {
  if (seen.has(eventKey) || order?.state !== 'open' || order.cents !== cents) return
  seen.add(eventKey)
  order.state = 'paid'
}
