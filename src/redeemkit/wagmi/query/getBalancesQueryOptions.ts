import { type Config, getConnection } from '@wagmi/core'
import { getBalances } from '../actions/getBalances.ts'
import { meantChainId } from '../kit/meantChainId.ts'
import { type QueryOf, type QueryOptionsOf, retry } from './queryParameter.ts'

/**
 * What TanStack Query takes to read and refresh what the connected wallet has. A redeem refreshes it, and so do another account and
 * another chain; without a wallet nothing is asked.
 *
 * @example
 * ```ts
 * import { QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { getBalancesQueryOptions, type Redeemkit } from 'redeemkit/wagmi'
 * const read = (config: Config, kit: Redeemkit) =>
 *   new QueryClient().fetchQuery(getBalancesQueryOptions(config, { kit }))
 * ```
 */
export function getBalancesQueryOptions(
  config: Config,
  parameters: getBalancesQueryOptions.Parameters,
): getBalancesQueryOptions.ReturnType {
  const { kit, query } = parameters
  const { address, chainId: walletChainId } = getConnection(config)
  const chainId = meantChainId(kit, { ...parameters, walletChainId })
  const queryKey = getBalancesQueryKey({ kit: kit.key, wallet: address, chainId })
  return {
    retry,
    ...query,
    queryKey,
    enabled: address !== undefined && (query?.enabled ?? true),
    queryFn: ({ signal }) => getBalances(config, { kit, chainId, signal }),
  }
}

export declare namespace getBalancesQueryOptions {
  type Parameters = Omit<getBalances.Parameters, 'signal'> & QueryOf<getBalances.ReturnType, BalancesKey>
  type ReturnType = QueryOptionsOf<getBalances.ReturnType, BalancesKey>
}

type BalancesKey = ReturnType<typeof getBalancesQueryKey>

/** Of all balances without parameters, or of those that are meant. */
export function getBalancesQueryKey(parameters: {
  kit: string
  wallet: string | undefined
  chainId: number
}) {
  return ['redeemkit', 'balances', parameters] as const
}
