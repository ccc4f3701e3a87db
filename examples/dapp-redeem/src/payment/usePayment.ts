import { useEffect, useState } from 'react'
import { useBalances, useRedeem } from 'redeemkit/react'

/** The payment that an order executes. */
export type Order = {
  /** Order id from the shop's server. Paid once, on every device and chain. */
  purchaseId: string
  cents: number
  usdcCents: number
  transactionData: useRedeem.Parameters['transactionData']
}

/** Returns the redeem button of an order for the chosen split, and the visitor's funds. */
export function usePayment({ purchaseId, cents, usdcCents, transactionData }: Order) {
  const settled = useSettled(usdcCents, 300)
  const order = {
    purchaseId,
    subtotal: { cents },
    ...(settled > 0 && { usdcAmount: { cents: settled } }),
    transactionData,
  }
  const button = useRedeem(order)
  const { data } = useBalances()
  // While the slider moves, the button still has the old split, so it must not be clicked.
  const isMoving = settled !== usdcCents && button.step === 'ready'
  return {
    button: isMoving
      ? {
          ...button,
          step: 'preparing' as const,
          label: 'Preparing your payment',
          canClick: false,
          signing: undefined,
        }
      : button,
    has: data && { creditsCents: data.credits.cents, usdcCents: data.usdc.cents },
  }
}

/** Returns a value once it has not changed for a while. */
function useSettled<value>(value: value, ms: number): value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
