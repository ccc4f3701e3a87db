'use client'
import { type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { type checkout, checkoutMutationOptions } from '../wagmi/actions/checkout.ts'
import { type getTotals, getTotalsQueryOptions } from '../wagmi/actions/getTotals.ts'
import { messageOf } from '../wagmi/messageOf.ts'
import { type HookParameters, useConnected, type useRedeemkit } from './RedeemkitProvider.tsx'

/**
 * Reads an order's totals for card, wire, Pix and mobile app, and checks out with one of the last three. Cards are paid in the card form.
 * The kit needs a `sessionKey`, and a `userId` for Pix.
 *
 * @param parameters the order, the same for every payment method
 * @returns `totals` (TanStack Query's result); `checkout`, which sets `data` (where to pay and until when) or `error` and
 * `userMessage`; `isPending`, to disable the buttons while it runs; `reset`
 * @throws InvalidOptionError without a kit
 * @see PROTOCOL.md 2.6, 2.11
 * @example
 * ```tsx
 * import { useCheckout } from 'redeemkit/react'
 * export function BuyCredits({ email }: { email: string }) {
 *   const order = { subtotal: { cents: 1000, currency: 'USD' }, settlementType: 'Credits' } as const
 *   const { totals, checkout, data, isPending, userMessage } = useCheckout(order)
 *   if (data?.by === 'pix') return <code>{data.brCode}</code>
 *   return (
 *     <>
 *       <button type="button" disabled={isPending} onClick={() => checkout({ by: 'pix', email })}>
 *         Pix: {totals.data?.pix?.total.cents} cents
 *       </button>
 *       <p role="alert">{userMessage}</p>
 *     </>
 *   )
 * }
 * ```
 */
export function useCheckout(parameters: useCheckout.Parameters): useCheckout.ReturnType {
  const { config: _, query, mutation, ...order } = parameters
  const { config, kit } = useConnected(parameters)
  const totals = useQuery(getTotalsQueryOptions(config, { ...order, kit, query }))
  const { mutate, data, error, isPending, reset } = useMutation(
    checkoutMutationOptions(config, { kit, mutation }),
  )
  return {
    totals,
    checkout: (way) => mutate({ ...order, ...way }),
    data,
    error,
    isPending,
    userMessage: messageOf(kit, error),
    reset,
  }
}

export declare namespace useCheckout {
  type Parameters = HookParameters<checkout.Parameters> &
    Pick<getTotalsQueryOptions.Parameters, 'query'> &
    Pick<checkoutMutationOptions.Parameters, 'mutation'>
  type ReturnType = {
    totals: UseQueryResult<getTotals.ReturnType, Error>
    checkout: (way: checkout.Way) => void
    data: checkout.ReturnType | undefined
    error: Error | null
    isPending: boolean
    /** Message for the customer about `error`. */
    userMessage: string | undefined
    reset: () => void
  }
  type ErrorType = useRedeemkit.ErrorType
}
