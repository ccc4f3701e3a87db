import { type Config, getConnection } from '@wagmi/core'
import { listOpenRedeems } from '../../redeem/listOpenRedeems.ts'
import type { Redeemkit } from '../createRedeemkit.ts'
import { type QueryOf, type QueryOptionsOf, retry } from '../queryOptions.ts'
import { clientOf, storageOf } from '../readKit.ts'
import { connectionOf } from './connectionOf.ts'

/**
 * Lists the connected wallet's purchases that a reload, a closed page or a lost response left open, on every pinned chain. Reads
 * only the kit's storage.
 *
 * To resume one, call `resumeRedeem(config, { kit, ...purchase.options })`.
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

/**
 * Query options of TanStack Query to list open purchases. Reads the storage when the page is shown or focused and after every
 * redeem, also offline.
 * @example
 * ```ts
 * import { QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { getOpenRedeemsQueryOptions, type Redeemkit } from 'redeemkit/wagmi'
 * const list = (config: Config, kit: Redeemkit) =>
 *   new QueryClient().fetchQuery(getOpenRedeemsQueryOptions(config, { kit }))
 * ```
 */
export function getOpenRedeemsQueryOptions(
  config: Config,
  parameters: getOpenRedeemsQueryOptions.Parameters,
): getOpenRedeemsQueryOptions.ReturnType {
  const { kit, query, chainId } = parameters
  const { address } = getConnection(config)
  return {
    retry,
    staleTime: 0,
    networkMode: 'always',
    // Contains error objects, which are not plain data.
    structuralSharing: false,
    ...query,
    queryKey: ['redeemkit', 'openRedeems', { kit: kit.key, wallet: address, chainId }],
    enabled: address !== undefined && (query?.enabled ?? true),
    queryFn: ({ signal }) => getOpenRedeems(config, { kit, chainId, signal }),
  }
}

export declare namespace getOpenRedeemsQueryOptions {
  type Parameters = Omit<getOpenRedeems.Parameters, 'signal'> & QueryOf<getOpenRedeems.ReturnType, OpenKey>
  type ReturnType = QueryOptionsOf<getOpenRedeems.ReturnType, OpenKey>
}

type OpenKey = readonly [
  'redeemkit',
  'openRedeems',
  { kit: string; wallet: string | undefined; chainId: number | undefined },
]
