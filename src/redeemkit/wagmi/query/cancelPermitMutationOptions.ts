import type { Config } from '@wagmi/core'
import { cancelPermit } from '../actions/cancelPermit.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'
import type { MutationOf, MutationOptionsOf } from './queryParameter.ts'

/**
 * What TanStack Query takes to cancel a permit. Afterwards what is open is read again.
 *
 * @example
 * ```ts
 * import { MutationObserver, QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { type Redeemkit, cancelPermitMutationOptions } from 'redeemkit/wagmi'
 * const ask = (config: Config, kit: Redeemkit) =>
 *   new MutationObserver(new QueryClient(), cancelPermitMutationOptions(config, { kit })).mutate({
 *     chainId: 8453,
 *     nonce: `0x${'01'.repeat(32)}`,
 *   })
 * ```
 */
export function cancelPermitMutationOptions(
  config: Config,
  { kit, mutation }: cancelPermitMutationOptions.Parameters,
): cancelPermitMutationOptions.ReturnType {
  return {
    // A person who said no is not asked again.
    retry: false,
    // Whether there is a network the call finds out: a prompt must not come later, when nobody looks.
    networkMode: 'always',
    ...mutation,
    mutationKey: ['redeemkit', 'cancelPermit', { kit: kit.key }],
    mutationFn: (variables) => cancelPermit(config, { kit, ...variables }),
    onSettled: (data, error, variables, onMutated, context) => {
      // Nobody waits for what is read again.
      for (const what of ['openRedeems', 'prepareRedeem'])
        void context.client.invalidateQueries({ queryKey: ['redeemkit', what] })
      return mutation?.onSettled?.(data, error, variables, onMutated, context)
    },
  }
}

export declare namespace cancelPermitMutationOptions {
  type Variables = Omit<cancelPermit.Parameters, 'kit'>
  type Parameters = { kit: Redeemkit } & MutationOf<cancelPermit.ReturnType, Variables>
  type ReturnType = MutationOptionsOf<cancelPermit.ReturnType, Variables>
}
