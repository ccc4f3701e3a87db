import type { Config } from '@wagmi/core'
import { redeem } from '../actions/redeem.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'
import type { MutationOf, MutationOptionsOf } from './queryParameter.ts'

/**
 * What TanStack Query takes to redeem. Afterwards balances and open purchases are read again, and what was checked for this purchase is
 * checked anew.
 *
 * @example
 * ```ts
 * import { MutationObserver, QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { redeemMutationOptions, type Redeemkit } from 'redeemkit/wagmi'
 * const pay = (config: Config, kit: Redeemkit, purchaseId: string) =>
 *   new MutationObserver(new QueryClient(), redeemMutationOptions(config, { kit })).mutate({
 *     purchaseId,
 *     subtotal: { cents: 1000 },
 *     transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
 *   })
 * ```
 */
export function redeemMutationOptions(
  config: Config,
  { kit, mutation }: redeemMutationOptions.Parameters,
): redeemMutationOptions.ReturnType {
  return {
    // It goes on by itself where that is safe (PROTOCOL.md 7.5), and a person is never asked twice by a timer.
    retry: false,
    // Whether there is a network decides redeem: a press must not run later, when nobody looks.
    networkMode: 'always',
    ...mutation,
    mutationKey: ['redeemkit', 'redeem', { kit: kit.key }],
    mutationFn: (variables) => redeem(config, { kit, ...variables }),
    // Nobody waits for what is read again.
    onSuccess: (data, variables, onMutated, context) => {
      // What was checked was for this order: the next one is another order.
      void context.client.resetQueries({ queryKey: ['redeemkit', 'prepareRedeem'] })
      return mutation?.onSuccess?.(data, variables, onMutated, context)
    },
    onSettled: (data, error, variables, onMutated, context) => {
      for (const what of ['balances', 'openRedeems', 'prepareRedeem'])
        void context.client.invalidateQueries({ queryKey: ['redeemkit', what] })
      return mutation?.onSettled?.(data, error, variables, onMutated, context)
    },
  }
}

export declare namespace redeemMutationOptions {
  type Variables = Omit<redeem.Parameters, 'kit'>
  type Parameters = { kit: Redeemkit } & MutationOf<redeem.ReturnType, Variables>
  type ReturnType = MutationOptionsOf<redeem.ReturnType, Variables>
}
