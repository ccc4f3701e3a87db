import { queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { hrefOf } from './routes.ts'

/** The server creates the ID. A customer can pay only once for each ID. */
export type ShopOrder = {
  id: string
  /** The purchased item: `bill 2041`, `moth moon-ferry`, `credits dusk`. */
  item: string
  state: 'open' | 'paid' | 'fulfilled' | 'closed'
}

/** A wallet has one order per bill, on every device. */
type Wanted = { bill: string; wallet: string } | { moth: string } | { pack: string }

export const drawOrder = (wanted: Wanted) => askShop<ShopOrder>('/orders', { method: 'POST', body: wanted })

/** `undefined` while no wallet is connected. */
export function useBillOrder(bill: string, wallet: string | undefined) {
  return useQuery({
    queryKey: ['lampfall-order', bill, wallet],
    queryFn: wallet === undefined ? skipToken : () => drawOrder({ bill, wallet }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  })
}

export const orderQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['lampfall-order', id],
    queryFn: id === undefined ? skipToken : () => askShop<ShopOrder>(`/orders/${encodeURIComponent(id)}`),
    // An order that the server does not know will not appear later, so this request is not retried.
    retry: (failures, error) => !isUnknownOrder(error) && failures < 3,
  })

export const isUnknownOrder = (error: Error | null) =>
  error instanceof ShopServerError && error.status === 404

/** `isAwaited` polls until the order is fulfilled. */
export function useOrder(id: string | undefined, { isAwaited = false }: { isAwaited?: boolean } = {}) {
  return useQuery({
    ...orderQuery(id),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (isAwaited && state.data?.state !== 'fulfilled' ? 1_000 : false),
  })
}

const paidKey = (orderId: string | undefined) => ['lampfall-paid', orderId]

/** Whether an order is paid, according to the shop's server or to this page, which may see the payment before the server does. */
export function useIsPaid(order: ShopOrder | undefined): boolean {
  const { data: wasSeen } = useQuery<boolean>({ queryKey: paidKey(order?.id), queryFn: skipToken })
  return wasSeen === true || order?.state === 'paid' || order?.state === 'fulfilled'
}

/** Marks the order as paid once this page has seen its payment, and reads chain data again, such as the stock. */
export function useSeenPayment(orderId: string, isSeen: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!isSeen) return
    queries.setQueryData(paidKey(orderId), true)
    void queries.invalidateQueries({ queryKey: ['readContract'] })
  }, [queries, orderId, isSeen])
}

export function hrefOfOrder({ id, item }: ShopOrder): string | undefined {
  const [kind, name = ''] = item.split(' ')
  if (kind === 'bill') return hrefOf({ page: 'bill', number: name })
  return kind === 'moth' ? hrefOf({ page: 'moth', slug: name, orderId: id }) : undefined
}

const splitKey = (orderId: string) => `lampfall-split ${orderId}`

/** The part is stored with the order, so that the page requests the same payment after a reload. */
export function useSplit(
  orderId: string,
  maximumCents: number,
  chosenBefore = 0,
): [number, (cents: number) => void] {
  const read = () => {
    if (localStorage.getItem(splitKey(orderId)) === null && chosenBefore > 0)
      localStorage.setItem(splitKey(orderId), `${chosenBefore}`)
    const kept = Number(localStorage.getItem(splitKey(orderId)) ?? 0)
    return Number.isSafeInteger(kept) && kept >= 0 && kept <= maximumCents ? kept : 0
  }
  const [split, setSplit] = useState<{ orderId: string; cents: number }>()
  // Read on each render until the visitor chooses here, because `chosenBefore` may arrive after the order.
  const cents = split?.orderId === orderId ? split.cents : read()
  const choose = useCallback(
    (chosen: number) => {
      localStorage.setItem(splitKey(orderId), `${chosen}`)
      setSplit({ orderId, cents: chosen })
    },
    [orderId],
  )
  return [cents, choose]
}

class ShopServerError extends Error {
  override readonly name = 'ShopServerError'
  constructor(readonly status: number) {
    super(`The shop's server returned ${status}.`)
  }
}

/** A cookie identifies the session. */
export async function askShop<answer>(
  path: string,
  { method = 'GET', body }: { method?: string; body?: object } = {},
): Promise<answer> {
  const response = await fetch(path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new ShopServerError(response.status)
  // The shop's own server is trusted.
  return (response.status === 204 ? undefined : await response.json()) as answer
}

/** Called again once the first key has expired. */
export async function readSessionKey(): Promise<string> {
  return (await askShop<{ key: string }>('/shop-api/getSessionKey')).key
}
