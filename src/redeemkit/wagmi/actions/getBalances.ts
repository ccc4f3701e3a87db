import { type Config, getConnection } from '@wagmi/core'
import { getBalances as getBalancesOf } from '../../api/endpoints/browser/getBalances.ts'
import type { BalancesResponse } from '../../schema/balances.ts'
import type { Redeemkit } from '../createRedeemkit.ts'
import { type QueryOf, type QueryOptionsOf, retry } from '../queryOptions.ts'
import { clientOf, meantChainId } from '../readKit.ts'
import { connectionOf } from './connectionOf.ts'

/**
 * Reads what the connected wallet has: credits with the merchant, and USDC, on one chain.
 *
 * @param parameters.chainId default: the wallet's chain where it is pinned, else the first pinned
 * @returns US cents: `{ credits: { cents }, usdc: { cents } }`
 * @throws WalletNotConnectedError; PinsRequiredError for a chain that the kit does not pin; the errors of `getBalances` of
 * `redeemkit`
 * @see PROTOCOL.md 2.5
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { getBalances, type Redeemkit } from 'redeemkit/wagmi'
 * const read = (config: Config, kit: Redeemkit) => getBalances(config, { kit })
 * ```
 */
export async function getBalances(
  config: Config,
  parameters: getBalances.Parameters,
): Promise<BalancesResponse> {
  const { kit, signal } = parameters
  const { wallet, chainId, pinned } = connectionOf(config, parameters)
  return getBalancesOf(clientOf(kit, { wallet, chainId }), { creditSeed: pinned.creditSeed, signal })
}

export declare namespace getBalances {
  type Parameters = {
    kit: Redeemkit
    chainId?: number | undefined
    signal?: AbortSignal | undefined
  }
  type ReturnType = BalancesResponse
  type ErrorType = connectionOf.ErrorType | clientOf.ErrorType | getBalancesOf.ErrorType
}

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
