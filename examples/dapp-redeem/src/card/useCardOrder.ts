import { useState } from 'react'
import { newOrderId } from '../orders.ts'

const keyOf = (what: string) => `lampfall-card ${what}`

/**
 * The order id of a purchase by card. It is kept until that purchase is paid, so that a reload asks for the very same one, and
 * nothing is paid twice.
 *
 * @param what is bought, by whom
 */
export function useCardOrder(what: string): {
  orderId: string
  /** It is paid: the next visit begins another one. */
  finish: () => void
  startAnother: () => void
} {
  const begin = () => {
    const orderId = newOrderId()
    localStorage.setItem(keyOf(what), orderId)
    return { what, orderId }
  }
  const [order, setOrder] = useState(() => {
    const kept = localStorage.getItem(keyOf(what))
    return kept === null ? begin() : { what, orderId: kept }
  })
  return {
    orderId: order.orderId,
    finish: () => localStorage.removeItem(keyOf(what)),
    startAnother: () => setOrder(begin()),
  }
}
