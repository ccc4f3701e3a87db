import { useQuery, useQueryClient } from '@tanstack/react-query'
import { drawOrder, isUnknownOrder, orderQuery } from '../orders.ts'

const keyOf = (what: string) => `lampfall-card ${what}`

/**
 * Returns the order of a card purchase, created by the shop's server. Its id is stored until it is paid, so that a reload pays
 * for the same
 * order.
 *
 * @param pack the credit pack
 * @param wallet receives the credits
 */
export function useCardOrder(
  pack: string,
  wallet: string | undefined,
): {
  /** `undefined` until the server has answered. */
  orderId: string | undefined
  error: Error | null
  tryAgain: () => void
  /** Forgets the paid order, so that the next visit starts another. */
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
