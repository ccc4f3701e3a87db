import { english } from 'redeemkit/languages'
import type { RedeemButtonView } from 'redeemkit/wagmi'
import { useOnline } from '../Layout.tsx'
import { PaymentPanel } from './PaymentPanel.tsx'
import { Problem } from './Problem.tsx'

/** Shows the payment of an order that does not exist yet, because no wallet is connected or the shop's server has not responded. */
export function OrderNeeded(props: {
  title: string
  cents: number
  /** The part in USDC, which is applied once the order exists. */
  usdcCents: number
  onUsdcCents: (cents: number) => void
  isConnected: boolean
  error: Error | null
  onConnect: () => void
  onTryAgain: () => void
}) {
  const { title, cents, usdcCents, onUsdcCents, isConnected, error, onConnect, onTryAgain } = props
  const isOnline = useOnline()
  if (error !== null && isConnected)
    return (
      <Problem title="Your order cannot be shown." error={error} onTryAgain={onTryAgain}>
        The shop did not respond. Please try again. Your payments are safe.
      </Problem>
    )
  return (
    <PaymentPanel
      purchase={{ title, cents, usdcCents }}
      button={isConnected ? { ...noOrder, step: 'preparing', label: english['button.preparing'] } : noOrder}
      has={undefined}
      isOnline={isOnline}
      onUsdcCents={onUsdcCents}
      onClick={() => {}}
      onConnect={onConnect}
      onCancel={() => {}}
    />
  )
}

const noOrder: RedeemButtonView = {
  step: 'notConnected',
  label: english['button.notConnected'],
  canClick: false,
  canCancel: false,
  prompts: [],
  elsewhere: [],
  signing: undefined,
  network: '',
  data: undefined,
  paidBy: undefined,
  explorerUrl: undefined,
  error: null,
  userMessage: undefined,
}
