import type { Config } from '@wagmi/core'
import { getPlans as getPlansOf } from '../../api/endpoints/subscription.ts'
import { networkOf } from '../../evm/networks.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'
import { customerClientOf } from '../kit/customerClientOf.ts'
import { connectionOf } from './connectionOf.ts'

/**
 * Lists the plans that the merchant offers to the connected wallet.
 *
 * @param parameters.kit needs a `sessionKey`
 * @returns amounts are whole cents of the named currency; `active` says whether a plan can be bought
 * @throws WalletNotConnectedError; PinsRequiredError for a chain that the kit does not pin; InvalidOptionError where the kit has no
 * session key; the errors of `getPlans` of `redeemkit`
 * @see PROTOCOL.md 2.8
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { getPlans, type Redeemkit } from 'redeemkit/wagmi'
 * const offered = async (config: Config, kit: Redeemkit) =>
 *   (await getPlans(config, { kit })).filter(({ active }) => active)
 * ```
 */
export async function getPlans(
  config: Config,
  parameters: getPlans.Parameters,
): Promise<getPlansOf.ReturnType> {
  const { kit, signal } = parameters
  const { wallet, chainId } = connectionOf(config, parameters)
  const { blockchain } = networkOf({ chainId })
  return getPlansOf(customerClientOf(kit), { wallet, blockchain, signal })
}

export declare namespace getPlans {
  type Parameters = {
    kit: Redeemkit
    chainId?: number | undefined
    signal?: AbortSignal | undefined
  }
  type ReturnType = getPlansOf.ReturnType
  type ErrorType = connectionOf.ErrorType | networkOf.ErrorType | getPlansOf.ErrorType
}
