import type { Config } from '@wagmi/core'
import { getBalances as getBalancesOf } from '../../api/endpoints/customer.ts'
import type { InvalidClockError } from '../../core/clock.ts'
import type { InvalidOrderIdError } from '../../core/orderId.ts'
import type { networkOf } from '../../evm/networks.ts'
import type { BalancesResponse } from '../../schema/purchase.ts'
import { asConnected, type CallParameters } from '../kit.ts'
import { type QueryOf, type QueryOptionsOf, retry } from '../queryOptions.ts'
import { clientOf } from '../readKit.ts'
import { connectionOf } from './connectionOf.ts'

/**
 * Reads the connected wallet's credits and USDC on one chain.
 *
 * @param parameters.chainId default: the wallet's chain if it is pinned, otherwise the first pinned one
 * @returns US cents: `{ credits: { cents }, usdc: { cents } }`
 * @throws WalletNotConnectedError; PinsRequiredError for a chain that the kit does not pin; the errors of `getBalances` of `redeemkit`
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
  type Parameters = CallParameters
  type ReturnType = BalancesResponse
  type ErrorType =
    | connectionOf.ErrorType
    | networkOf.ErrorType
    | InvalidOrderIdError
    | InvalidClockError
    | getBalancesOf.ErrorType
}

/**
 * Returns TanStack Query options that read balances. Refreshes after a redeem, and when the account or chain changes. Disabled without a
 * wallet.
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
  const { wallet, chainId } = asConnected(config, parameters)
  const queryKey = getBalancesQueryKey({ kit: kit.key, wallet, chainId })
  return {
    retry,
    ...query,
    queryKey,
    enabled: wallet !== undefined && (query?.enabled ?? true),
    queryFn: ({ signal }) => getBalances(config, { kit, chainId, signal }),
  }
}

export declare namespace getBalancesQueryOptions {
  type Parameters = Omit<getBalances.Parameters, 'signal'> & QueryOf<getBalances.ReturnType, BalancesKey>
  type ReturnType = QueryOptionsOf<getBalances.ReturnType, BalancesKey>
}

type BalancesKey = ReturnType<typeof getBalancesQueryKey>

/** Returns the query key of one wallet's balances on one chain. */
export function getBalancesQueryKey(parameters: {
  kit: string
  wallet: string | undefined
  chainId: number
}) {
  return ['redeemkit', 'balances', parameters] as const
}
