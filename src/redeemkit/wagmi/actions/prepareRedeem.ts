import { type Config, getConnection } from '@wagmi/core'
import { readClock } from '../../core/time/clock.ts'
import { checkRedeem } from '../../redeem/checkRedeem.ts'
import type { CheckedPurchase } from '../../redeem/readyRedeem.ts'
import type { Redeemkit } from '../createRedeemkit.ts'
import { plainKey, type QueryOf, type QueryOptionsOf, retry } from '../queryOptions.ts'
import { clientOf, meantChainId, otherChainsOf, storageOf } from '../readKit.ts'
import { connectionOf, signerOf } from './connectionOf.ts'
import type { PurchaseParameters, RedeemParameters } from './redeem.ts'

/**
 * Does everything of a `redeem` of the connected wallet that needs a network, before its button is clicked, as `checkRedeem` of
 * `redeemkit` does it: with the pins and storage of the kit, and the config's client of the chain. Reads the order on every pinned chain that the
 * config has. The wallet may stand on another chain
 * meanwhile. Finds the wallet behind the connector, too, so that the click waits for nothing.
 *
 * @param parameters.prepared of an earlier result, to save the question to the service
 * @returns plain data. `state: 'ready'` with what is signed and until when (unix seconds); `open` when an earlier click was signed, and
 * `redeemed` when it is paid
 * @throws WalletNotConnectedError; PinsRequiredError for a chain that the kit does not pin; what `checkRedeem` throws
 * @see PROTOCOL.md 7.5
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { prepareRedeem, redeem, type Redeemkit } from 'redeemkit/wagmi'
 * const purchase = (kit: Redeemkit) => ({
 *   kit,
 *   subtotal: { cents: 1000 },
 *   transactionData: { type: 'token' as const, destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const },
 * })
 * const onShow = (config: Config, kit: Redeemkit) => prepareRedeem(config, purchase(kit))
 * const onClick = (config: Config, kit: Redeemkit, ready: prepareRedeem.ReturnType) =>
 *   redeem(config, { ...purchase(kit), ready })
 * ```
 */
export async function prepareRedeem(
  config: Config,
  parameters: prepareRedeem.Parameters,
): Promise<CheckedPurchase> {
  const { kit, chainId: _, ...options } = parameters
  const { wallet, connector, chainId, pinned } = connectionOf(config, parameters)
  const [checked] = await Promise.all([
    checkRedeem(clientOf(kit, { wallet, chainId }), {
      ...options,
      wallet,
      chainId,
      pinned,
      publicClient: config.getClient({ chainId }),
      otherChains: otherChainsOf(config, kit, chainId),
      storage: storageOf(kit),
    }),
    signerOf({ connector, wallet, chainId }),
  ])
  return checked
}

export declare namespace prepareRedeem {
  type Parameters = RedeemParameters &
    Pick<checkRedeem.Options, 'prepared' | 'maxAgeSeconds' | 'signal' | 'timeoutMs'>
  type ReturnType = CheckedPurchase
  type ErrorType = connectionOf.ErrorType | clientOf.ErrorType | signerOf.ErrorType | checkRedeem.ErrorType
}

/** How long before its end a check is made again, in milliseconds: a slow network has so long. */
const aheadMs = 15_000

/**
 * What TanStack Query takes to keep a redeem ready for its button: checked when it is shown, again before the check is too old, and
 * when the page is looked at again, is online again, or has another account or chain. A hidden tab and a page without a network ask
 * nothing. Without a wallet, and for a pin with `intentBound: false`, nothing is checked: then `redeem` asks the network first.
 *
 * @example
 * ```ts
 * import { QueryObserver, QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { prepareRedeemQueryOptions, type Redeemkit } from 'redeemkit/wagmi'
 * const keepReady = (config: Config, kit: Redeemkit) =>
 *   new QueryObserver(
 *     new QueryClient(),
 *     prepareRedeemQueryOptions(config, {
 *       kit,
 *       subtotal: { cents: 1000 },
 *       transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
 *     }),
 *   )
 * ```
 */
export function prepareRedeemQueryOptions(
  config: Config,
  parameters: prepareRedeemQueryOptions.Parameters,
): prepareRedeemQueryOptions.ReturnType {
  const { query, ...request } = parameters
  const { kit } = request
  const { address, chainId: walletChainId, status } = getConnection(config)
  const chainId = meantChainId(kit, { ...request, walletChainId })
  const queryKey = prepareRedeemQueryKey({ ...request, chainId, wallet: address })
  const isUnbound = !canBeReady(kit, chainId)
  return {
    retry,
    // A check is of its moment: whoever looks again wants another one.
    staleTime: 0,
    refetchInterval: ({ state }) => msUntilNextCheck(kit, state.data, state.dataUpdateCount),
    // Frozen by the check, and compared by nobody.
    structuralSharing: false,
    ...query,
    queryKey,
    // While wagmi reconnects there is an account, and no wallet yet.
    enabled: status === 'connected' && !isUnbound && (query?.enabled ?? true),
    queryFn: async ({ signal, client }) => {
      // What this function gave for this key.
      const before = client.getQueryData(queryKey) as CheckedPurchase | undefined
      const prepared = before?.state === 'ready' ? before.prepared : undefined
      return asJson(await prepareRedeem(config, { ...request, chainId, prepared, signal }))
    },
  }
}

export declare namespace prepareRedeemQueryOptions {
  type Parameters = Omit<prepareRedeem.Parameters, 'signal' | 'prepared'> &
    QueryOf<prepareRedeem.ReturnType, PrepareKey>
  type ReturnType = QueryOptionsOf<prepareRedeem.ReturnType, PrepareKey>
}

type PrepareKey = ReturnType<typeof prepareRedeemQueryKey>

/**
 * A cache may be kept as JSON, which refuses bigints: what moved stands beside what is written down, and is read again where it is missing.
 */
function asJson(checked: CheckedPurchase): CheckedPurchase {
  if (checked.state !== 'redeemed') return checked
  const { outcome, ...plain } = checked
  return Object.defineProperty(plain, 'outcome', { value: outcome })
}

/** The key of one purchase by one wallet. It tells every purchase from every other. */
export function prepareRedeemQueryKey(
  parameters: PurchaseParameters & { kit: Redeemkit; chainId: number; wallet: string | undefined },
) {
  const { kit, chainId, wallet, purchaseId, subtotal, usdcAmount, transactionData, webhookInfo } = parameters
  const request = plainKey({ subtotal, usdcAmount, transactionData, purchaseId, webhookInfo })
  return ['redeemkit', 'prepareRedeem', { kit: kit.key, chainId, wallet, request }] as const
}

/** Whether a redeem can be checked before the click: where nonces commit to nothing it cannot (PROTOCOL.md 4.4). */
export function canBeReady({ pins }: Redeemkit, chainId: number): boolean {
  return !pins.some((pin) => pin.chainId === chainId && pin.intentBound === false)
}

/** How long what was checked needs no other check; `false` for what no time changes. */
function msUntilNextCheck(
  { client }: Redeemkit,
  checked: CheckedPurchase | undefined,
  checks: number,
): number | false {
  // Paid, and what moved could not be read: asked for again, ever more seldom.
  if (checked?.state === 'redeemed' && checked.outcome === undefined)
    return Math.min(60_000, 1_000 * 2 ** checks)
  if (checked?.state !== 'ready') return false
  return Math.max(1_000, Number(checked.usableUntil) * 1000 - readClock(client.now) - aheadMs)
}
