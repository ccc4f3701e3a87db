import type { Config } from '@wagmi/core'
import { checkout } from '../actions/checkout.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'
import type { MutationOf, MutationOptionsOf } from './queryParameter.ts'

/**
 * What TanStack Query takes to order a payment by wire, Pix or mobile app.
 *
 * @example
 * ```ts
 * import { MutationObserver, QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { checkoutMutationOptions, type Redeemkit } from 'redeemkit/wagmi'
 * const order = (config: Config, kit: Redeemkit, email: string) =>
 *   new MutationObserver(new QueryClient(), checkoutMutationOptions(config, { kit })).mutate({
 *     subtotal: { cents: 1000, currency: 'USD' },
 *     settlementType: 'Credits',
 *     by: 'pix',
 *     email,
 *   })
 * ```
 */
export function checkoutMutationOptions(
  config: Config,
  { kit, mutation }: checkoutMutationOptions.Parameters,
): checkoutMutationOptions.ReturnType {
  return {
    // Another order is another press.
    retry: false,
    // Whether there is a network the call finds out: a press must not run later, when nobody looks.
    networkMode: 'always',
    ...mutation,
    mutationKey: ['redeemkit', 'checkout', { kit: kit.key }],
    mutationFn: (variables) => checkout(config, { ...variables, kit }),
  }
}

export declare namespace checkoutMutationOptions {
  type Variables = Omit<checkout.Parameters, 'kit'> & checkout.Way
  type Parameters = { kit: Redeemkit } & MutationOf<checkout.ReturnType, Variables>
  type ReturnType = MutationOptionsOf<checkout.ReturnType, Variables>
}
