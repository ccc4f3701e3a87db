import { type Config, getConnection } from '@wagmi/core'
import { getTotals } from '../actions/getTotals.ts'
import { meantChainId } from '../kit/meantChainId.ts'
import { plainKey } from '../kit/plainKey.ts'
import { type QueryOf, type QueryOptionsOf, retry } from './queryParameter.ts'

/**
 * What TanStack Query takes to ask what a checkout would come to, and to ask again when the order, the wallet or its chain is another.
 *
 * @example
 * ```ts
 * import { QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { getTotalsQueryOptions, type Redeemkit } from 'redeemkit/wagmi'
 * const read = (config: Config, kit: Redeemkit) =>
 *   new QueryClient().fetchQuery(getTotalsQueryOptions(config, { kit, subtotal: { cents: 1000 } }))
 * ```
 */
export function getTotalsQueryOptions(
  config: Config,
  parameters: getTotalsQueryOptions.Parameters,
): getTotalsQueryOptions.ReturnType {
  const { kit, query, chainId: given, ...order } = parameters
  const { address, chainId: walletChainId } = getConnection(config)
  const chainId = meantChainId(kit, { chainId: given, walletChainId })
  return {
    retry,
    ...query,
    queryKey: getTotalsQueryKey({ kit: kit.key, wallet: address, chainId, order: plainKey(order) }),
    enabled: query?.enabled ?? true,
    queryFn: ({ signal }) => getTotals(config, { ...order, kit, chainId, signal }),
  }
}

export declare namespace getTotalsQueryOptions {
  type Parameters = Omit<getTotals.Parameters, 'signal'> & QueryOf<getTotals.ReturnType, TotalsKey>
  type ReturnType = QueryOptionsOf<getTotals.ReturnType, TotalsKey>
}

type TotalsKey = ReturnType<typeof getTotalsQueryKey>

/** Of the totals of one order, for one wallet on one chain. */
export function getTotalsQueryKey(parameters: {
  kit: string
  wallet: string | undefined
  chainId: number
  order: unknown
}) {
  return ['redeemkit', 'totals', parameters] as const
}
