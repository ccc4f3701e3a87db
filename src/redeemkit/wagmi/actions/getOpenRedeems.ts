import type { Config } from '@wagmi/core'
import { listOpenRedeems } from '../../redeem/listOpenRedeems.ts'
import { clientOf } from '../kit/clientOf.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'
import { storageOf } from '../kit/storageOf.ts'
import { connectionOf } from './connectionOf.ts'

/**
 * Lists the purchases of the connected wallet that a reload, a closed page or a lost answer has left open, as `listOpenRedeems` of
 * `redeemkit` does: on every pinned chain, wherever the wallet stands. Reads the kit's storage only.
 *
 * To go on with one, call `resumeRedeem(config, { kit, ...purchase.options })`.
 *
 * @throws WalletNotConnectedError; PinsRequiredError for a chain that the kit does not pin; PurchaseStorageError
 * @see PROTOCOL.md 7.5
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { getOpenRedeems, type Redeemkit } from 'redeemkit/wagmi'
 * const ordersOf = async (config: Config, kit: Redeemkit) => {
 *   const { open } = await getOpenRedeems(config, { kit })
 *   return open.map(({ options }) => options.purchaseId)
 * }
 * ```
 */
export async function getOpenRedeems(
  config: Config,
  parameters: getOpenRedeems.Parameters,
): Promise<listOpenRedeems.ReturnType> {
  const { kit, signal, chainId: meant } = parameters
  const chains = meant === undefined ? kit.pins.map(({ chainId }) => chainId) : [meant]
  const lists = await Promise.all(
    chains.map((meant) => {
      const { wallet, chainId, pinned } = connectionOf(config, { kit, chainId: meant })
      const client = clientOf(kit, { wallet, chainId })
      return listOpenRedeems(client, { pinned, wallet, chainId, signal, storage: storageOf(kit) })
    }),
  )
  const unreadable = lists.flatMap((list) => list.unreadable)
  return {
    open: lists
      .flatMap(({ open }) => open)
      .sort((one, other) => Number(one.since ?? 0) - Number(other.since ?? 0)),
    // What cannot be read may be of any chain, and is told of once.
    unreadable: [...new Map(unreadable.map((one) => [one.name, one])).values()],
  }
}

export declare namespace getOpenRedeems {
  type Parameters = {
    kit: Redeemkit
    /** Default: every pinned chain. */
    chainId?: number | undefined
    signal?: AbortSignal | undefined
  }
  type ReturnType = listOpenRedeems.ReturnType
  type ErrorType = connectionOf.ErrorType | clientOf.ErrorType | listOpenRedeems.ErrorType
}
