import { type Config, getConnection } from '@wagmi/core'
import { type AccountName, getAccountName } from '../actions/getAccountName.ts'
import { type QueryOf, type QueryOptionsOf, retry } from './queryParameter.ts'

/**
 * What TanStack Query takes to read what an account is called. Names change rarely: one that was read is not asked for again
 * for an hour.
 *
 * @example
 * ```ts
 * import { QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { getAccountNameQueryOptions } from 'redeemkit/wagmi'
 * const read = (config: Config) => new QueryClient().fetchQuery(getAccountNameQueryOptions(config))
 * ```
 */
export function getAccountNameQueryOptions(
  config: Config,
  parameters: getAccountNameQueryOptions.Parameters = {},
): getAccountNameQueryOptions.ReturnType {
  const { address = getConnection(config).address, query } = parameters
  return {
    retry,
    staleTime: 3_600_000,
    ...query,
    queryKey: getAccountNameQueryKey({ address }),
    enabled: address !== undefined && (query?.enabled ?? true),
    queryFn: () => getAccountName(config, { address }),
  }
}

export declare namespace getAccountNameQueryOptions {
  type Parameters = getAccountName.Parameters & QueryOf<AccountName, NameKey>
  type ReturnType = QueryOptionsOf<AccountName, NameKey>
}

type NameKey = ReturnType<typeof getAccountNameQueryKey>

/** Of what one account is called. */
export function getAccountNameQueryKey(parameters: { address: string | undefined }) {
  return ['redeemkit', 'accountName', parameters] as const
}
