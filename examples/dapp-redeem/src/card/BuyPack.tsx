import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatUsd } from 'redeemkit'
import { useConnection } from 'wagmi'
import type { CreditPack } from '../catalogue.ts'
import { drawOrder, isUnknownOrder, orderQuery } from '../orders.ts'
import { Problem } from '../payment/Problem.tsx'
import { hrefOf } from '../routes.ts'
import { CardForm } from './CardForm.tsx'

export function BuyPack({ pack }: { pack: CreditPack }) {
  const { id, cents } = pack
  const { address } = useConnection()
  const { orderId, error, tryAgain, finish, startAnother } = useCardOrder(id, address)
  const [paidOrder, setPaidOrder] = useState<string>()
  const queries = useQueryClient()
  if (address === undefined) return null
  if (paidOrder !== undefined && paidOrder === orderId)
    return (
      <section className="card receipt" aria-labelledby="credits-bought" role="status">
        <div className="receipt-head">
          <span className="tick" aria-hidden="true">
            ✓
          </span>
          <h2 id="credits-bought" ref={takeFocus} tabIndex={-1}>
            {formatUsd({ cents })} in your wallet
          </h2>
        </div>
        <p>Your card was charged. Your credits are ready.</p>
        <div className="receipt-actions">
          <a className="button" href={hrefOf({ page: 'moths' })}>
            To the moths
          </a>
          <button type="button" className="button button-plain" onClick={startAnother}>
            Buy more
          </button>
        </div>
      </section>
    )
  return (
    <section className="card stack" aria-labelledby="card-title">
      <h2 id="card-title">Pay by card</h2>
      {error ? (
        <Problem title="Your order cannot be shown." onTryAgain={tryAgain} error={error} />
      ) : (
        orderId && (
          <CardForm
            checkout={{ orderId }}
            wallet={address}
            onSuccess={() => {
              setPaidOrder(orderId)
              finish()
              // Refreshes all data that the payment changed, except this order.
              void queries.invalidateQueries({
                predicate: ({ queryKey }) => !isOfOrder.has(String(queryKey[0])),
              })
            }}
          />
        )
      )}
    </section>
  )
}

/** Takes the focus from the form, which is no longer shown. */
const takeFocus = (heading: HTMLElement | null) => heading?.focus()

const isOfOrder: ReadonlySet<string> = new Set(['lampfall-card-order', 'lampfall-checkout'])

const keyOf = (what: string) => `lampfall-card ${what}`

/** The order's id is stored until it is paid, so that the page pays for the same order after a reload. */
function useCardOrder(
  pack: string,
  wallet: string | undefined,
): {
  /** `undefined` until the server has responded. */
  orderId: string | undefined
  error: Error | null
  tryAgain: () => void
  /** Forgets the paid order, so that the next visit starts a new one. */
  finish: () => void
  startAnother: () => void
} {
  const what = `${pack} ${wallet}`
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: ['lampfall-card-order', what],
    queryFn: async () => {
      const kept = localStorage.getItem(keyOf(what)) ?? undefined
      // The order may have been paid while this page was closed.
      if (kept !== undefined && (await isOpen(kept))) return kept
      const { id } = await drawOrder({ pack })
      localStorage.setItem(keyOf(what), id)
      return id
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isOpen = async (id: string) => {
    try {
      return (await queries.fetchQuery({ ...orderQuery(id), staleTime: 0 })).state === 'open'
    } catch (error) {
      if (error instanceof Error && isUnknownOrder(error)) return false
      throw error
    }
  }
  const finish = () => localStorage.removeItem(keyOf(what))
  return {
    orderId: data,
    error,
    tryAgain: () => void refetch(),
    finish,
    startAnother: () => {
      finish()
      void refetch()
    },
  }
}
