import { type Config, getConnection } from '@wagmi/core'
import { getTotals as getTotalsOf } from '../../api/endpoints/checkout.ts'
import { networkOf } from '../../evm/networks.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'
import { customerClientOf } from '../kit/customerClientOf.ts'
import { meantChainId } from '../kit/meantChainId.ts'

/**
 * Asks what a checkout would come to by card, wire, Pix and mobile app, line by line. Needs no wallet; where one is connected, the
 * question is for it.
 *
 * @param parameters the checkout that will be asked for, and the kit, which needs a `sessionKey`
 * @returns whole cents of each rail, as `getTotals` of `redeemkit` gives them
 * @throws InvalidOptionError where the kit has no session key; the errors of `getTotals` of `redeemkit`
 * @see PROTOCOL.md 2.11
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { getTotals, type Redeemkit } from 'redeemkit/wagmi'
 * const byCard = async (config: Config, kit: Redeemkit) => {
 *   const { card } = await getTotals(config, { kit, subtotal: { cents: 1000 }, settlementType: 'Credits' })
 *   return card?.total.cents
 * }
 * ```
 */
export async function getTotals(
  config: Config,
  parameters: getTotals.Parameters,
): Promise<getTotalsOf.ReturnType> {
  const { kit, chainId, signal, ...order } = parameters
  const { address: wallet, chainId: walletChainId } = getConnection(config)
  const { blockchain } = networkOf({ chainId: meantChainId(kit, { chainId, walletChainId }) })
  return getTotalsOf(customerClientOf(kit), order, { wallet, blockchain, signal })
}

export declare namespace getTotals {
  type Order = getTotalsOf.Body
  type Parameters = Order & {
    kit: Redeemkit
    chainId?: number | undefined
    signal?: AbortSignal | undefined
  }
  type ReturnType = getTotalsOf.ReturnType
  type ErrorType = networkOf.ErrorType | getTotalsOf.ErrorType
}
