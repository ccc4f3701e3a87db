import type { Config } from '@wagmi/core'
import { listOpenRedeems, oldestFirst } from '../../redeem/listOpenRedeems.ts'
import { connectionOf } from '../actions/connectionOf.ts'
import type { Redeemkit } from '../kit.ts'
import { clientOf } from '../readKit.ts'
import { storageOf } from '../storageOf.ts'

export async function getOpenRedeems(
  config: Config,
  parameters: getOpenRedeems.Parameters & { wallet?: string | undefined },
): Promise<listOpenRedeems.ReturnType> {
  const { kit, signal, chainId: meant } = parameters
  const chains = meant === undefined ? kit.pins.map(({ chainId }) => chainId) : [meant]
  const lists = await Promise.all(
    chains.map((meant) => {
      const { wallet, chainId, pinned } = connectionOf(config, { ...parameters, chainId: meant })
      const client = clientOf(kit, { wallet, chainId })
      return listOpenRedeems(client, { pinned, wallet, chainId, signal, storage: storageOf(kit) })
    }),
  )
  const unreadable = lists.flatMap((list) => list.unreadable)
  return {
    open: oldestFirst(lists.flatMap(({ open }) => open)),
    // Unreadable items appear in the list of every chain, so duplicates are removed.
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
