import type { Config } from '@wagmi/core'
import { signUsdcAuthorization } from '../actions/signUsdcAuthorization.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'
import type { MutationOf, MutationOptionsOf } from './queryParameter.ts'

/**
 * What TanStack Query takes to ask the connected wallet for the USDC authorization of a checkout.
 *
 * @example
 * ```ts
 * import { MutationObserver, QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { type Redeemkit, signUsdcAuthorizationMutationOptions } from 'redeemkit/wagmi'
 * const ask = (config: Config, kit: Redeemkit, purchaseId: string) =>
 *   new MutationObserver(new QueryClient(), signUsdcAuthorizationMutationOptions(config, { kit })).mutate({
 *     amount: { cents: 400 },
 *     payment: { subtotal: { cents: 1000 }, settlementType: 'Credits' },
 *     purchaseId,
 *   })
 * ```
 */
export function signUsdcAuthorizationMutationOptions(
  config: Config,
  { kit, mutation }: signUsdcAuthorizationMutationOptions.Parameters,
): signUsdcAuthorizationMutationOptions.ReturnType {
  return {
    // A person who said no is not asked again.
    retry: false,
    // Whether there is a network the call finds out: a prompt must not come later, when nobody looks.
    networkMode: 'always',
    ...mutation,
    mutationKey: ['redeemkit', 'signUsdcAuthorization', { kit: kit.key }],
    mutationFn: (variables) => signUsdcAuthorization(config, { kit, ...variables }),
  }
}

export declare namespace signUsdcAuthorizationMutationOptions {
  type Variables = Omit<signUsdcAuthorization.Parameters, 'kit'>
  type Parameters = { kit: Redeemkit } & MutationOf<signUsdcAuthorization.ReturnType, Variables>
  type ReturnType = MutationOptionsOf<signUsdcAuthorization.ReturnType, Variables>
}
