import { type Config, getConnection } from '@wagmi/core'
import { getSession, type Session } from '../actions/getSession.ts'
import { meantChainId } from '../kit/meantChainId.ts'
import { type QueryOf, type QueryOptionsOf, retry } from './queryParameter.ts'

/**
 * What TanStack Query takes to know whether the connected wallet is signed in. No network is asked; a sign-in by
 * `loginMutationOptions` reads it again.
 *
 * @example
 * ```ts
 * import { QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { getSessionQueryOptions, type Redeemkit } from 'redeemkit/wagmi'
 * const read = (config: Config, kit: Redeemkit) =>
 *   new QueryClient().fetchQuery(getSessionQueryOptions(config, { kit }))
 * ```
 */
export function getSessionQueryOptions(
  config: Config,
  parameters: getSessionQueryOptions.Parameters,
): getSessionQueryOptions.ReturnType {
  const { kit, query } = parameters
  const { address, chainId: walletChainId } = getConnection(config)
  const chainId = meantChainId(kit, { ...parameters, walletChainId })
  return {
    retry,
    staleTime: 0,
    networkMode: 'always',
    ...query,
    queryKey: ['redeemkit', 'session', { kit: kit.key, wallet: address, chainId }],
    enabled: address !== undefined && (query?.enabled ?? true),
    queryFn: async () => getSession(config, { kit, chainId }),
  }
}

export declare namespace getSessionQueryOptions {
  type Parameters = getSession.Parameters & QueryOf<Session | null, SessionKey>
  type ReturnType = QueryOptionsOf<Session | null, SessionKey>
}

type SessionKey = readonly [
  'redeemkit',
  'session',
  { kit: string; wallet: string | undefined; chainId: number },
]
