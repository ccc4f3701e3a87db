import type { Config } from '@wagmi/core'
import { getTotals as getTotalsOf } from '../../api/endpoints/checkout.ts'
import { networkOf } from '../../evm/networks.ts'
import type { CallParameters } from '../kit.ts'
import { asConnected } from '../meantChainId.ts'
import { plainKey, type QueryOf, type QueryOptionsOf, retry } from '../queryOptions.ts'
import { customerClientOf } from '../readKit.ts'

/**
 * Reads the totals of a checkout by card, wire, Pix and mobile app, line by line. Works without a wallet; a connected wallet is
 * included in the request.
 *
 * @param parameters the checkout, and the kit, which needs a `sessionKey`
 * @returns whole cents for each payment method, as `getTotals` of `redeemkit` returns them
 * @throws InvalidOptionError without a session key; the errors of `getTotals` of `redeemkit`
 * @see PROTOCOL.md 2.11
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { getTotals, type Redeemkit } from 'redeemkit/wagmi'
 * const byCard = async (config: Config, kit: Redeemkit) => {
 *   const { card } = await getTotals(config, { kit, subtotal: { cents: 1000 }, settlementType: 'Credits' })
 *   return card?.total.cents
 * }
 * ```
 */
export async function getTotals(
  config: Config,
  parameters: getTotals.Parameters,
): Promise<getTotalsOf.ReturnType> {
  const { kit, chainId, signal, ...order } = parameters
  const connected = asConnected(config, { kit, chainId })
  const { blockchain } = networkOf(connected)
  return getTotalsOf(customerClientOf(kit), order, { wallet: connected.wallet, blockchain, signal })
}

export declare namespace getTotals {
  type Order = getTotalsOf.Body
  type Parameters = Order & CallParameters
  type ReturnType = getTotalsOf.ReturnType
  type ErrorType = networkOf.ErrorType | getTotalsOf.ErrorType
}

/**
 * Returns TanStack Query options that read the totals of a checkout. Refreshes when the order, wallet or chain changes.
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
  const { wallet, chainId } = asConnected(config, { kit, chainId: given })
  return {
    retry,
    ...query,
    queryKey: getTotalsQueryKey({ kit: kit.key, wallet, chainId, order: plainKey(order) }),
    enabled: query?.enabled ?? true,
    queryFn: ({ signal }) => getTotals(config, { ...order, kit, chainId, signal }),
  }
}

export declare namespace getTotalsQueryOptions {
  type Parameters = Omit<getTotals.Parameters, 'signal'> & QueryOf<getTotals.ReturnType, TotalsKey>
  type ReturnType = QueryOptionsOf<getTotals.ReturnType, TotalsKey>
}

type TotalsKey = ReturnType<typeof getTotalsQueryKey>

/** Returns the query key of the totals of one order, for one wallet on one chain. */
export function getTotalsQueryKey(parameters: {
  kit: string
  wallet: string | undefined
  chainId: number
  order: unknown
}) {
  return ['redeemkit', 'totals', parameters] as const
}
