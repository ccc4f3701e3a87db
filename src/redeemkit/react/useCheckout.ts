'use client'
import { type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { useConfig, useConnection } from 'wagmi'
import { type checkout, checkoutMutationOptions } from '../wagmi/actions/checkout.ts'
import { type getTotals, getTotalsQueryOptions } from '../wagmi/actions/getTotals.ts'
import { messageOf } from '../wagmi/readKit.ts'
import { type HookParameters, useRedeemkit } from './RedeemkitProvider.tsx'

/**
 * A checkout: what an order comes to by card, wire, Pix and mobile app, and the order itself by one of the last three. A card is paid
 * in the card frame. The kit needs a `sessionKey`, and for Pix a `userId`.
 *
 * @param parameters what is bought, the same for every way to pay
 * @returns `totals` as TanStack Query's result, `checkout` for a button of each way, then `data` with where to pay and until when, or
 * `error` and `userMessage`; `isPending` while it is ordered: disable the buttons then. `reset` forgets it
 * @throws InvalidOptionError where there is no kit
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
  const config = useConfig(parameters)
  const kit = useRedeemkit(parameters)
  // Renders again when the account or its chain changes; the options read them from the config.
  useConnection({ config })
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
    /** What a person is told of `error`. */
    userMessage: string | undefined
    reset: () => void
  }
  type ErrorType = useRedeemkit.ErrorType
}
