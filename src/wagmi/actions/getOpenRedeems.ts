import type { Config } from '@wagmi/core'
import { listOpenRedeems } from '../../redeem/listOpenRedeems.ts'
import { clientOf } from '../kit/clientOf.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'
import { storageOf } from '../kit/storageOf.ts'
import { connectionOf } from './connectionOf.ts'

/**
 * Lists the purchases of the connected wallet that a reload, a closed page or a lost answer has left open, as `listOpenRedeems` of
 * `redeemkit` does. Reads the kit's storage only.
 *
 * To go on with one, call `redeem(config, { kit, ...purchase.options })`, after `switchChain` where the wallet is on another chain.
 *
 * @throws WalletNotConnectedError; PinsRequiredError for a chain that the kit does not pin; PurchaseStorageError
 * @see PROTOCOL.md 7.5
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { getOpenRedeems, redeem, type Redeemkit } from 'redeemkit/wagmi'
 * const goOn = async (config: Config, kit: Redeemkit) => {
 *   const { open } = await getOpenRedeems(config, { kit })
 *   const [oldest] = open
 *   return oldest && redeem(config, { kit, ...oldest.options })
 * }
 * ```
 */
export async function getOpenRedeems(
  config: Config,
  parameters: getOpenRedeems.Parameters,
): Promise<listOpenRedeems.ReturnType> {
  const { kit, signal } = parameters
  const { wallet, chainId, pinned } = connectionOf(config, parameters)
  return listOpenRedeems(clientOf(kit, { wallet, chainId }), {
    pinned,
    wallet,
    chainId,
    signal,
    storage: storageOf(kit),
  })
}

export declare namespace getOpenRedeems {
  type Parameters = {
    kit: Redeemkit
    /** Default: the wallet's chain where it is pinned, else the first pinned. */
    chainId?: number | undefined
    signal?: AbortSignal | undefined
  }
  type ReturnType = listOpenRedeems.ReturnType
  type ErrorType = connectionOf.ErrorType | clientOf.ErrorType | listOpenRedeems.ErrorType
}
