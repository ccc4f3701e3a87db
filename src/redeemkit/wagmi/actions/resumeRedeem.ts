import type { Config } from '@wagmi/core'
import { isOpenRedeemError } from '../../redeem/openRedeem.ts'
import type { RedeemResult } from '../../redeem/redeemOptions.ts'
import { isWrongNetwork } from '../button/describeRedeemButton.ts'
import { switchWallet } from '../button/switchWallet.ts'
import { connectionOf } from './connectionOf.ts'
import { redeem, redeemMutationOptions } from './redeem.ts'

/**
 * Goes on with a purchase that was left open, as `redeem` does; when the wallet has to sign once more and stands on another chain, it is
 * asked to switch first. What is signed already needs no wallet: it is looked up, or sent again, wherever that stands.
 *
 * @param parameters `options` of one that `getOpenRedeems` lists: of another account than the one connected it is refused
 * @throws what `redeem` and `switchWallet` throw. A no to the switch leaves the purchase as it was
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
  try {
    return await redeem(config, parameters)
  } catch (error) {
    if (!isWrongNetwork(error)) throw error
    try {
      await switchWallet(config, connectionOf(config, parameters))
    } catch (cause) {
      // A no to the switch says nothing of what may have been sent.
      throw isOpenRedeemError(error) ? error : cause
    }
    return redeem(config, parameters)
  }
}

export declare namespace resumeRedeem {
  type Parameters = redeem.Parameters
  type ReturnType = RedeemResult
  type ErrorType = redeem.ErrorType | switchWallet.ErrorType
}

/**
 * What TanStack Query takes to go on with a purchase that was left open. Afterwards all is read again as after `redeem`.
 *
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
