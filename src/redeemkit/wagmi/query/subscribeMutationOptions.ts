import type { Config } from '@wagmi/core'
import { subscribe } from '../actions/subscribe.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'
import type { MutationOf, MutationOptionsOf } from './queryParameter.ts'

/**
 * What TanStack Query takes to buy a plan. Afterwards balances are read again: a plan may come with credits.
 *
 * @example
 * ```ts
 * import { MutationObserver, QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { type Redeemkit, subscribeMutationOptions } from 'redeemkit/wagmi'
 * const buy = (config: Config, kit: Redeemkit, cardToken: string) =>
 *   new MutationObserver(new QueryClient(), subscribeMutationOptions(config, { kit })).mutate({
 *     planCode: 'monthly',
 *     token: cardToken,
 *   })
 * ```
 */
export function subscribeMutationOptions(
  config: Config,
  { kit, mutation }: subscribeMutationOptions.Parameters,
): subscribeMutationOptions.ReturnType {
  return {
    // A payment by card is sent once (PROTOCOL.md 7.3).
    retry: false,
    // Whether there is a network the call finds out: a press must not run later, when nobody looks.
    networkMode: 'always',
    ...mutation,
    mutationKey: ['redeemkit', 'subscribe', { kit: kit.key }],
    mutationFn: (variables) => subscribe(config, { ...variables, kit }),
    onSettled: (data, error, variables, onMutated, context) => {
      // Nobody waits for what is read again.
      void context.client.invalidateQueries({ queryKey: ['redeemkit', 'balances'] })
      return mutation?.onSettled?.(data, error, variables, onMutated, context)
    },
  }
}

export declare namespace subscribeMutationOptions {
  type Variables = Omit<subscribe.Parameters, 'kit'>
  type Parameters = { kit: Redeemkit } & MutationOf<subscribe.ReturnType, Variables>
  type ReturnType = MutationOptionsOf<subscribe.ReturnType, Variables>
}
