import { useOrder } from '../orders.ts'

/** What the shop's server says of an order whose payment is on chain: it hears of it by a webhook. */
export function OrderState({ orderId }: { orderId: string }) {
  const { data } = useOrder(orderId, { isAwaited: true })
  if (data === undefined) return null
  return (
    <p className="quiet" role="status">
      {data.state === 'fulfilled'
        ? 'Lampfall has confirmed your order.'
        : 'Lampfall is confirming your order…'}
    </p>
  )
}
