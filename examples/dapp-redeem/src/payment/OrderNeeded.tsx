import type { RedeemButtonView } from 'redeemkit/wagmi'
import { useOnline } from '../Layout.tsx'
import { hrefOf } from '../routes.ts'
import { PaymentPanel } from './PaymentPanel.tsx'
import { Problem } from './Problem.tsx'

/** The payment of something whose order is not known yet: no wallet is connected, or the shop's server has not answered. */
export function OrderNeeded(props: {
  title: string
  cents: number
  /** The part in USDC. The order takes it over. */
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
      <Problem
        title="Your order cannot be shown."
        error={error}
        actions={
          <button type="button" className="button button-plain button-small" onClick={onTryAgain}>
            Try again
          </button>
        }
      >
        The shop did not answer. Please try again. What you have paid is not lost.
      </Problem>
    )
  return (
    <PaymentPanel
      purchase={{ title, cents, usdcCents }}
      button={isConnected ? { ...noOrder, step: 'preparing' } : noOrder}
      has={undefined}
      isOnline={isOnline}
      creditsHref={hrefOf({ page: 'credits' })}
      onUsdcCents={onUsdcCents}
      onClick={() => {}}
      onConnect={onConnect}
      onStartAgain={() => {}}
    />
  )
}

const noOrder: RedeemButtonView = {
  step: 'notConnected',
  canClick: false,
  prompts: [],
  elsewhere: [],
  signing: undefined,
  network: '',
  data: undefined,
  explorerUrl: undefined,
  error: null,
  userMessage: undefined,
}
