import type { Config } from '@wagmi/core'
import { getPlans as getPlansOf } from '../../api/endpoints/subscription.ts'
import { networkOf } from '../../evm/networks.ts'
import type { CallParameters } from '../kit.ts'
import { asConnected } from '../meantChainId.ts'
import { type QueryOf, type QueryOptionsOf, retry } from '../queryOptions.ts'
import { customerClientOf } from '../readKit.ts'
import { connectionOf } from './connectionOf.ts'

/**
 * Lists the plans that the merchant offers to the connected wallet.
 *
 * @param parameters.kit needs a `sessionKey`
 * @returns amounts in whole cents of the named currency; `active` says whether a plan can be bought
 * @throws WalletNotConnectedError; PinsRequiredError for a chain that the kit does not pin; InvalidOptionError without a session
 * key; the errors of `getPlans` of `redeemkit`
 * @see PROTOCOL.md 2.8
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { getPlans, type Redeemkit } from 'redeemkit/wagmi'
 * const offered = async (config: Config, kit: Redeemkit) =>
 *   (await getPlans(config, { kit })).filter(({ active }) => active)
 * ```
 */
export async function getPlans(
  config: Config,
  parameters: getPlans.Parameters,
): Promise<getPlansOf.ReturnType> {
  const { kit, signal } = parameters
  const { wallet, chainId } = connectionOf(config, parameters)
  const { blockchain } = networkOf({ chainId })
  return getPlansOf(customerClientOf(kit), { wallet, blockchain, signal })
}

export declare namespace getPlans {
  type Parameters = CallParameters
  type ReturnType = getPlansOf.ReturnType
  type ErrorType = connectionOf.ErrorType | networkOf.ErrorType | getPlansOf.ErrorType
}

/**
 * Returns TanStack Query options that list the merchant's plans. Disabled without a wallet.
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
  const { wallet, chainId } = asConnected(config, parameters)
  return {
    retry,
    ...query,
    queryKey: getPlansQueryKey({ kit: kit.key, wallet, chainId }),
    enabled: wallet !== undefined && (query?.enabled ?? true),
    queryFn: ({ signal }) => getPlans(config, { kit, chainId, signal }),
  }
}

export declare namespace getPlansQueryOptions {
  type Parameters = Omit<getPlans.Parameters, 'signal'> & QueryOf<getPlans.ReturnType, PlansKey>
  type ReturnType = QueryOptionsOf<getPlans.ReturnType, PlansKey>
}

type PlansKey = ReturnType<typeof getPlansQueryKey>

/** Returns the query key of the plans for one wallet on one chain. */
export function getPlansQueryKey(parameters: { kit: string; wallet: string | undefined; chainId: number }) {
  return ['redeemkit', 'plans', parameters] as const
}
