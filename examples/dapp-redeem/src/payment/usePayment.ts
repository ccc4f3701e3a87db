import { useEffect, useState } from 'react'
import { useBalances, useRedeem } from 'redeemkit/react'

/** What is executed for a price. */
export type Order = {
  /** The id that the shop's server drew. The order is paid once, on every device and chain. */
  purchaseId: string
  cents: number
  usdcCents: number
  transactionData: useRedeem.Parameters['transactionData']
}

/** The button of an order, prepared for the split that is chosen, and what the visitor has. */
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
  // While the slider moves, the button is for the split that was: nothing may be clicked.
  const isMoving = settled !== usdcCents && button.step === 'ready'
  return {
    button: isMoving
      ? { ...button, step: 'preparing' as const, canClick: false, signing: undefined }
      : button,
    has: data && { creditsCents: data.credits.cents, usdcCents: data.usdc.cents },
  }
}

/** A value that has not changed for a while. */
function useSettled<value>(value: value, ms: number): value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
