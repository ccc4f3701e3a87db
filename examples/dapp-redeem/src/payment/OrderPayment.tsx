import { type ReactNode, useRef } from 'react'
import { useShop } from '../config/useShop.ts'
import { useOnline } from '../layout/useOnline.ts'
import { useOrder, useSplit } from '../orders.ts'
import { hrefOf } from '../routes/route.ts'
import { OrderState } from './OrderState.tsx'
import { PaidBefore } from './PaidBefore.tsx'
import { PaidElsewhere } from './PaidElsewhere.tsx'
import { PaymentPanel } from './PaymentPanel.tsx'
import { type PaidRedeem, Receipt } from './Receipt.tsx'
import { type Order, usePayment } from './usePayment.ts'

/** The payment of one order, from its button to its receipt. */
export function OrderPayment(props: {
  title: string
  order: Omit<Order, 'usdcCents'>
  /** The part in USDC that the visitor chose before the order was known. */
  chosenUsdcCents?: number
  paidTitle: string
  /** What was received, for the receipt. */
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
  const wasPressed = useRef(false)
  const { data: paid } = button
  if (paid !== undefined)
    return (
      <div className="card">
        <Receipt
          title={paidTitle}
          data={paid}
          isFresh={wasPressed.current}
          explorerUrl={button.explorerUrl}
          localUrl={`${baseUrl}/dashboard/redeems/${paid.wallet}/${paid.nonce}`}
          received={received?.(paid)}
          orderState={<OrderState orderId={order.purchaseId} />}
          actions={actions}
        />
      </div>
    )
  // Paid before this page was loaded, or in another tab.
  if (button.step === 'done') return <PaidBefore title={paidTitle} explorerUrl={button.explorerUrl} />
  const isPaid = said?.state === 'paid' || said?.state === 'fulfilled'
  if (isPaid && (button.step === 'ready' || button.step === 'failed'))
    return <PaidElsewhere actions={actions} />
  return (
    <PaymentPanel
      purchase={{ title, cents: order.cents, usdcCents }}
      button={button}
      has={has}
      isOnline={isOnline}
      creditsHref={hrefOf({ page: 'credits' })}
      onUsdcCents={chooseUsdcCents}
      onConnect={onConnect}
      onStartAgain={button.reset}
      onPress={() => {
        wasPressed.current = true
        button.press()
      }}
    />
  )
}
