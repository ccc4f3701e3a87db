import type { Config } from '@wagmi/core'
import { withEvents } from '../../redeem/redeemEvent.ts'
import type { RedeemResult } from '../../redeem/redeemOptions.ts'
import { loadEngine, loadedEngine } from '../engine/loadEngine.ts'
import type { resumeRedeem as resumeNow } from '../engine/resumeRedeem.ts'
import { asConnected } from '../meantChainId.ts'
import { type redeem, redeemMutationOptions } from './redeem.ts'

/**
 * Resumes an open purchase. If the wallet has to sign again and is on another chain, it is asked to switch first. A signed redeem
 * needs no wallet.
 *
 * @param parameters `options` from `getOpenRedeems`. Rejected if another account is connected
 * @throws the errors of `redeem` and `switchWallet`. A rejected switch leaves the purchase unchanged
 * @see PROTOCOL.md 7.5
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { getOpenRedeems, type Redeemkit, resumeRedeem } from 'redeemkit/wagmi'
 * const resume = async (config: Config, kit: Redeemkit) => {
 *   const { open } = await getOpenRedeems(config, { kit })
 *   const [oldest] = open
 *   return oldest && resumeRedeem(config, { kit, ...oldest.options })
 * }
 * ```
 */
export async function resumeRedeem(
  config: Config,
  parameters: resumeRedeem.Parameters,
): Promise<RedeemResult> {
  const meant = asConnected(config, parameters)
  const engine = loadedEngine() ?? (await withEvents(parameters.kit, 'starting', loadEngine))
  return engine.resumeRedeem(config, meant)
}

export declare namespace resumeRedeem {
  type Parameters = redeem.Parameters
  type ReturnType = RedeemResult
  type ErrorType = resumeNow.ErrorType | loadEngine.ErrorType
}

/**
 * Returns TanStack Query mutation options that resume an open purchase. Refreshes the same queries as `redeem`.
 * @example
 * ```ts
 * import { MutationObserver, QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { type getOpenRedeems, type Redeemkit, resumeRedeemMutationOptions } from 'redeemkit/wagmi'
 * const resume = (config: Config, kit: Redeemkit, { options }: getOpenRedeems.ReturnType['open'][number]) =>
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
