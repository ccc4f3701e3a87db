import { type Config, getConnection } from '@wagmi/core'
import { getOpenRedeems } from '../actions/getOpenRedeems.ts'
import { type QueryOf, type QueryOptionsOf, retry } from './queryParameter.ts'

/**
 * What TanStack Query takes to list the purchases that are open. The storage is read when the page is shown, when it is looked at again, and
 * after every redeem; a page without a network reads it, too.
 *
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
    // An unreadable purchase carries an error, which is no plain data.
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
