import { useCallback, useState } from 'react'

/** A name for one more purchase. It stands in the address, so that a reload goes on with it. */
export function newOrderId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

const splitKey = (orderId: string) => `lampfall-split ${orderId}`

/** How much of an order is paid in USDC: kept with the order, so that a reload asks for the very same payment. */
export function useSplit(orderId: string, maximumCents: number): [number, (cents: number) => void] {
  const read = () => {
    const kept = Number(localStorage.getItem(splitKey(orderId)) ?? 0)
    return Number.isSafeInteger(kept) && kept >= 0 && kept <= maximumCents ? kept : 0
  }
  const [split, setSplit] = useState(() => ({ orderId, cents: read() }))
  const cents = split.orderId === orderId ? split.cents : read()
  const choose = useCallback(
    (chosen: number) => {
      localStorage.setItem(splitKey(orderId), `${chosen}`)
      setSplit({ orderId, cents: chosen })
    },
    [orderId],
  )
  return [cents, choose]
}
