import { type Config, getConnection } from '@wagmi/core'
import { getPlans } from '../actions/getPlans.ts'
import { meantChainId } from '../kit/meantChainId.ts'
import { type QueryOf, type QueryOptionsOf, retry } from './queryParameter.ts'

/**
 * What TanStack Query takes to list the plans that the merchant offers. Without a wallet nothing is asked.
 *
 * @example
 * ```ts
 * import { QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { getPlansQueryOptions, type Redeemkit } from 'redeemkit/wagmi'
 * const read = (config: Config, kit: Redeemkit) =>
 *   new QueryClient().fetchQuery(getPlansQueryOptions(config, { kit }))
 * ```
 */
export function getPlansQueryOptions(
  config: Config,
  parameters: getPlansQueryOptions.Parameters,
): getPlansQueryOptions.ReturnType {
  const { kit, query } = parameters
  const { address, chainId: walletChainId } = getConnection(config)
  const chainId = meantChainId(kit, { ...parameters, walletChainId })
  return {
    retry,
    ...query,
    queryKey: getPlansQueryKey({ kit: kit.key, wallet: address, chainId }),
    enabled: address !== undefined && (query?.enabled ?? true),
    queryFn: ({ signal }) => getPlans(config, { kit, chainId, signal }),
  }
}

export declare namespace getPlansQueryOptions {
  type Parameters = Omit<getPlans.Parameters, 'signal'> & QueryOf<getPlans.ReturnType, PlansKey>
  type ReturnType = QueryOptionsOf<getPlans.ReturnType, PlansKey>
}

type PlansKey = ReturnType<typeof getPlansQueryKey>

/** Of the plans that one wallet on one chain is offered. */
export function getPlansQueryKey(parameters: { kit: string; wallet: string | undefined; chainId: number }) {
  return ['redeemkit', 'plans', parameters] as const
}
