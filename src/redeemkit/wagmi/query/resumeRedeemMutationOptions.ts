import type { Config } from '@wagmi/core'
import { resumeRedeem } from '../actions/resumeRedeem.ts'
import { redeemMutationOptions } from './redeemMutationOptions.ts'

/**
 * What TanStack Query takes to go on with a purchase that was left open. Afterwards all is read again as after `redeem`.
 *
 * @example
 * ```ts
 * import { MutationObserver, QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { type getOpenRedeems, type Redeemkit, resumeRedeemMutationOptions } from 'redeemkit/wagmi'
 * const goOn = (config: Config, kit: Redeemkit, { options }: getOpenRedeems.ReturnType['open'][number]) =>
 *   new MutationObserver(new QueryClient(), resumeRedeemMutationOptions(config, { kit })).mutate(options)
 * ```
 */
export function resumeRedeemMutationOptions(
  config: Config,
  { kit, mutation }: resumeRedeemMutationOptions.Parameters,
): resumeRedeemMutationOptions.ReturnType {
  return {
    ...redeemMutationOptions(config, { kit, mutation }),
    mutationKey: ['redeemkit', 'resumeRedeem', { kit: kit.key }],
    mutationFn: (variables) => resumeRedeem(config, { kit, ...variables }),
  }
}

export declare namespace resumeRedeemMutationOptions {
  type Variables = redeemMutationOptions.Variables
  type Parameters = redeemMutationOptions.Parameters
  type ReturnType = redeemMutationOptions.ReturnType
}
