import { type Config, getConnection } from '@wagmi/core'
import { mayHoldPurchase } from '../../redeem/purchase/mayHoldPurchase.ts'
import type { RedeemResult } from '../../redeem/redeemOptions.ts'
import { withEvents } from '../../redeem/redeemStep.ts'
import { loadEngine, loadedEngine } from '../engine/loadEngine.ts'
import type { getOpenRedeems as listNow, resumeRedeem as resumeNow } from '../engine/redeem.ts'
import { asConnected, storageOf } from '../kit.ts'
import { type QueryOf, type QueryOptionsOf, retry } from '../queryOptions.ts'
import { type redeem, redeemMutationOptions } from './redeem.ts'

/**
 * Lists the connected wallet's purchases that a reload, a closed page or a lost response left open, on every pinned chain. Reads
 * only the kit's storage.
 *
 * To resume one, call `resumeRedeem(config, { kit, ...purchase.options })`.
 *
 * @throws WalletNotConnectedError; PinsRequiredError for a chain that the kit does not pin; PurchaseStorageError
 * @see PROTOCOL.md 7.5
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { getOpenRedeems, type Redeemkit } from 'redeemkit/wagmi'
 * const ordersOf = async (config: Config, kit: Redeemkit) => {
 *   const { open } = await getOpenRedeems(config, { kit })
 *   return open.map(({ options }) => options.purchaseId)
 * }
 * ```
 */
export async function getOpenRedeems(
  config: Config,
  parameters: getOpenRedeems.Parameters,
): Promise<getOpenRedeems.ReturnType> {
  const { kit, chainId } = parameters
  const { address: wallet } = getConnection(config)
  // Most visitors have no open purchases, so do not load the engine for them.
  if (wallet !== undefined && chainId === undefined && !(await mayHoldPurchase(storageOf(kit))))
    return { open: [], unreadable: [] }
  return (await loadEngine()).getOpenRedeems(config, { ...parameters, wallet })
}

export declare namespace getOpenRedeems {
  type Parameters = listNow.Parameters
  type ReturnType = listNow.ReturnType
  type ErrorType = listNow.ErrorType | loadEngine.ErrorType
}

/**
 * Returns TanStack Query options that list open purchases. Reads the storage when the page is shown or focused and after every redeem, also
 * offline.
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
    // Retries once the page is online, because the engine may have failed to load.
    refetchOnReconnect: true,
    // Contains error objects, which are not plain data.
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

/**
 * Resumes an open purchase. If the wallet has to sign again and is on another chain, it is asked to switch first. A signed redeem
 * needs no wallet.
 *
 * @param parameters `options` from `getOpenRedeems`. Rejected if another account is connected
 * @throws the errors of `redeem` and `switchWallet`. A rejected switch leaves the purchase unchanged
 * @see PROTOCOL.md 7.5
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { getOpenRedeems, type Redeemkit, resumeRedeem } from 'redeemkit/wagmi'
 * const resume = async (config: Config, kit: Redeemkit) => {
 *   const { open } = await getOpenRedeems(config, { kit })
 *   const [oldest] = open
 *   return oldest && resumeRedeem(config, { kit, ...oldest.options })
 * }
 * ```
 */
export async function resumeRedeem(
  config: Config,
  parameters: resumeRedeem.Parameters,
): Promise<RedeemResult> {
  const meant = asConnected(config, parameters)
  const engine = loadedEngine() ?? (await withEvents(parameters.kit, 'starting', loadEngine))
  return engine.resumeRedeem(config, meant)
}

export declare namespace resumeRedeem {
  type Parameters = redeem.Parameters
  type ReturnType = RedeemResult
  type ErrorType = resumeNow.ErrorType | loadEngine.ErrorType
}

/**
 * Returns TanStack Query mutation options that resume an open purchase. Refreshes the same queries as `redeem`.
 * @example
 * ```ts
 * import { MutationObserver, QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { type getOpenRedeems, type Redeemkit, resumeRedeemMutationOptions } from 'redeemkit/wagmi'
 * const resume = (config: Config, kit: Redeemkit, { options }: getOpenRedeems.ReturnType['open'][number]) =>
 *   new MutationObserver(new QueryClient(), resumeRedeemMutationOptions(config, { kit })).mutate(options)
 * ```
 */
export function resumeRedeemMutationOptions(
  config: Config,
  { kit, mutation }: resumeRedeemMutationOptions.Parameters,
): resumeRedeemMutationOptions.ReturnType {
  return {
    ...redeemMutationOptions(config, { kit, mutation }),
    mutationKey: ['redeemkit', 'resumeRedeem', { kit: kit.key }],
    mutationFn: (variables) => resumeRedeem(config, { kit, ...variables }),
  }
}

export declare namespace resumeRedeemMutationOptions {
  type Variables = redeemMutationOptions.Variables
  type Parameters = redeemMutationOptions.Parameters
  type ReturnType = redeemMutationOptions.ReturnType
}
