import { type ReactNode, useEffect, useRef, useState } from 'react'
import { english } from 'redeemkit/languages'
import { useBalances, useRedeem } from 'redeemkit/react'
import { useShop } from '../config.tsx'
import { useOnline } from '../Layout.tsx'
import { useIsPaid, useOrder, useSeenPayment, useSplit } from '../orders.ts'
import { PaymentPanel } from './PaymentPanel.tsx'
import { type PaidRedeem, Receipt } from './Receipt.tsx'

export function OrderPayment(props: {
  title: string
  order: Omit<Order, 'usdcCents'>
  /** The part in USDC that the visitor chose before the order existed. */
  chosenUsdcCents?: number
  paidTitle: string
  received?: (data: PaidRedeem) => ReactNode
  actions: ReactNode
  onConnect: () => void
}) {
  const { title, order, chosenUsdcCents, paidTitle, received, actions, onConnect } = props
  const { baseUrl } = useShop()
  const { data: said } = useOrder(order.purchaseId)
  const isOnline = useOnline()
  const [usdcCents, chooseUsdcCents] = useSplit(order.purchaseId, order.cents, chosenUsdcCents)
  const { button, has } = usePayment({ ...order, usdcCents })
  const wasClicked = useRef(false)
  const { data: paid } = button
  const isPaid = useIsPaid(said)
  useSeenPayment(order.purchaseId, button.step === 'done')
  if (paid !== undefined)
    return (
      <div className="card">
        <Receipt
          title={paidTitle}
          data={paid}
          isFresh={wasClicked.current}
          explorerUrl={button.explorerUrl}
          localUrl={`${baseUrl}/dashboard/redeems/${paid.wallet}/${paid.nonce}`}
          received={received?.(paid)}
          orderState={<OrderState orderId={order.purchaseId} />}
          actions={actions}
        />
      </div>
    )
  // The order was paid before this page was loaded, or in another tab.
  if (button.step === 'done' && button.paidBy === undefined)
    return <PaidBefore title={paidTitle} explorerUrl={button.explorerUrl} />
  if (button.paidBy !== undefined || (isPaid && (button.step === 'ready' || button.step === 'failed')))
    return <PaidElsewhere actions={actions} />
  return (
    <PaymentPanel
      purchase={{ title, cents: order.cents, usdcCents }}
      button={button}
      has={has}
      isOnline={isOnline}
      onUsdcCents={chooseUsdcCents}
      onConnect={onConnect}
      onCancel={button.cancel}
      onClick={() => {
        wasClicked.current = true
        button.onClick()
      }}
    />
  )
}

/** Shows whether the shop's server has confirmed the order. A webhook notifies the server of the payment. */
function OrderState({ orderId }: { orderId: string }) {
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

/** Shown for a paid order while the page reads its receipt from the chain. */
function PaidBefore(props: { title: string; explorerUrl: string | undefined }) {
  const { title, explorerUrl } = props
  return (
    <section className="card receipt" role="status">
      <div className="receipt-head">
        <span className="tick" aria-hidden="true">
          ✓
        </span>
        <h2>{title}</h2>
      </div>
      <p>Paid. Reading the receipt from the chain…</p>
      {explorerUrl && (
        <p className="quiet">
          <a href={explorerUrl} target="_blank" rel="noreferrer">
            View it on the block explorer
          </a>
        </p>
      )}
    </section>
  )
}

/** Shown for an order that was paid by a different wallet or on a different page. */
function PaidElsewhere({ actions }: { actions: ReactNode }) {
  return (
    <section className="card receipt" role="status">
      <h2>This order is already paid</h2>
      <p>Lampfall has received the payment. You will not be charged again.</p>
      <div className="receipt-actions">{actions}</div>
    </section>
  )
}

export type Order = {
  /** Order ID from the shop's server. Across all devices and chains, only one payment can use it. */
  purchaseId: string
  cents: number
  usdcCents: number
  transactionData: useRedeem.Parameters['transactionData']
}

function usePayment({ purchaseId, cents, usdcCents, transactionData }: Order) {
  const settled = useSettled(usdcCents, 300)
  const order = {
    purchaseId,
    subtotal: { cents },
    ...(settled > 0 && { usdcAmount: { cents: settled } }),
    transactionData,
  }
  const button = useRedeem(order)
  const { data } = useBalances()
  // While the slider moves, the button still has the previous split, so clicks are ignored.
  const isMoving = settled !== usdcCents && button.step === 'ready'
  return {
    button: isMoving
      ? {
          ...button,
          step: 'preparing' as const,
          label: english['button.preparing'],
          canClick: false,
          signing: undefined,
        }
      : button,
    has: data && { creditsCents: data.credits.cents, usdcCents: data.usdc.cents },
  }
}

function useSettled<value>(value: value, ms: number): value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
