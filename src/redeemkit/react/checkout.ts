'use client'
import { type UseMutationResult, type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { useConfig } from 'wagmi'
import {
  type checkout,
  checkoutMutationOptions,
  type getTotals,
  getTotalsQueryOptions,
} from '../wagmi/actions/checkout.ts'
import {
  type signUsdcAuthorization,
  signUsdcAuthorizationMutationOptions,
} from '../wagmi/actions/signUsdcAuthorization.ts'
import { messageOf } from '../wagmi/messageOf.ts'
import { type HookParameters, useConnected, useRedeemkit } from './RedeemkitProvider.tsx'

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

/**
 * Asks the connected wallet for the USDC authorization of a checkout that is partly paid in USDC. Spread the result into the
 * checkout's body; it includes the order key and the salt of its nonce. The kit must pin the chain's `settlementContract`.
 *
 * @returns TanStack Query's mutation, and `userMessage`, a message for the customer about `error`
 * @throws InvalidOptionError without a kit
 * @see PROTOCOL.md 2.3, 5, 10.2
 * @example
 * ```tsx
 * import { useUsdcAuthorization } from 'redeemkit/react'
 * const payment = { subtotal: { cents: 1000 }, settlementType: 'Credits' } as const
 * export function PayInUsdc({ purchaseId }: { purchaseId: string }) {
 *   const { mutate, isPending } = useUsdcAuthorization()
 *   const pay = () => mutate({ amount: { cents: 400 }, payment, purchaseId })
 *   return (
 *     <button type="button" disabled={isPending} onClick={pay}>
 *       Pay 4 USD of it in USDC
 *     </button>
 *   )
 * }
 * ```
 */
export function useUsdcAuthorization(
  parameters: useUsdcAuthorization.Parameters = {},
): useUsdcAuthorization.ReturnType {
  const config = useConfig(parameters)
  const kit = useRedeemkit(parameters)
  const result = useMutation(signUsdcAuthorizationMutationOptions(config, { ...parameters, kit }))
  return { ...result, userMessage: messageOf(kit, result.error) }
}

export declare namespace useUsdcAuthorization {
  type Parameters = HookParameters<signUsdcAuthorizationMutationOptions.Parameters>
  type ReturnType = UseMutationResult<
    signUsdcAuthorization.ReturnType,
    Error,
    signUsdcAuthorizationMutationOptions.Variables
  > & {
    /** Message for the customer about `error`. */
    userMessage: string | undefined
  }
  type ErrorType = useRedeemkit.ErrorType
}
