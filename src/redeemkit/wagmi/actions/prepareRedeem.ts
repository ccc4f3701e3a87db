import { type Config, getConnection } from '@wagmi/core'
import { readClock } from '../../core/clock.ts'
import type { CheckedPurchase } from '../../redeem/redeemOptions.ts'
import { withEvents } from '../../redeem/redeemStep.ts'
import { loadEngine } from '../engine/loadEngine.ts'
import type { prepareRedeem as checkNow, PurchaseParameters } from '../engine/redeem.ts'
import { asConnected, meantChainId, type Redeemkit } from '../kit.ts'
import { plainKey, type QueryOf, type QueryOptionsOf, retry } from '../queryOptions.ts'

/**
 * Runs every part of `redeem` that needs a network, before the customer clicks: `checkRedeem` of `redeemkit` with the kit's pins
 * and storage and the config's clients. Reads the order on every pinned chain of the config. The wallet may be on another chain.
 *
 * @param parameters.prepared from an earlier result, to save a request to the service
 * @returns plain data: `ready` with the data to sign and its expiry (unix seconds), `open` if a signed redeem may be submitted already, or
 * `redeemed`
 * @throws WalletNotConnectedError; PinsRequiredError for a chain that the kit does not pin; the errors of `checkRedeem`
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
  const meant = asConnected(config, parameters)
  return withEvents(parameters.kit, 'checking', async () => (await loadEngine()).prepareRedeem(config, meant))
}

export declare namespace prepareRedeem {
  type Parameters = checkNow.Parameters
  type ReturnType = CheckedPurchase
  type ErrorType = checkNow.ErrorType | loadEngine.ErrorType
}

/** Milliseconds before its expiry at which a check is repeated, to allow for a slow network. */
const aheadMs = 15_000

/**
 * Returns TanStack Query options that keep a redeem ready for its button. Checks when the button is shown, before the last check expires,
 * when the page is focused or online again, and when the account or chain changes. Makes no request in a hidden tab, offline, or without a
 * wallet. Disabled with the pin `intentBound: false`: `redeem` then makes its requests after the click.
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
  const isRandomNonce = !canBeReady(kit, chainId)
  return {
    retry,
    // Always stale, because order and funds can change at any time.
    staleTime: 0,
    refetchInterval: ({ state }) => msUntilNextCheck(kit, state.data, state.dataUpdateCount),
    // The result is frozen and never compared.
    structuralSharing: false,
    ...query,
    queryKey,
    // While wagmi reconnects, there is an account but no wallet yet.
    enabled: status === 'connected' && !isRandomNonce && (query?.enabled ?? true),
    queryFn: async ({ signal, client }) => {
      // `prepareRedeem` wrote the data of this key.
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

/** Hides bigints from JSON, so that a persisted cache works. The outcome is read again if it is missing. */
function asJson(checked: CheckedPurchase): CheckedPurchase {
  if (checked.state !== 'redeemed') return checked
  const { outcome, ...plain } = checked
  return Object.defineProperty(plain, 'outcome', { value: outcome })
}

/** Returns the query key of one purchase by one wallet. */
export function prepareRedeemQueryKey(
  parameters: PurchaseParameters & { kit: Redeemkit; chainId: number; wallet: string | undefined },
) {
  const { kit, chainId, wallet, purchaseId, webhookInfo, dryRun } = parameters
  const { subtotal, usdcAmount, transactionData, chargebackProtectionData } = parameters
  const request = plainKey({
    subtotal,
    usdcAmount,
    transactionData,
    chargebackProtectionData,
    purchaseId,
    webhookInfo,
    // `false` has the same key as no dry run.
    dryRun: dryRun || undefined,
  })
  return ['redeemkit', 'prepareRedeem', { kit: kit.key, chainId, wallet, request }] as const
}

/** Returns whether a redeem can be checked before the click. Not possible with random nonces (PROTOCOL.md 4.4). */
export function canBeReady({ pins }: Redeemkit, chainId: number): boolean {
  return !pins.some((pin) => pin.chainId === chainId && pin.intentBound === false)
}

/** `false` if no further check is needed. */
function msUntilNextCheck(
  { client }: Redeemkit,
  checked: CheckedPurchase | undefined,
  checks: number,
): number | false {
  // Paid, but the outcome could not be read: retried at growing intervals.
  if (checked?.state === 'redeemed' && checked.outcome === undefined)
    return Math.min(60_000, 1_000 * 2 ** checks)
  if (checked?.state !== 'ready') return false
  return Math.max(1_000, Number(checked.usableUntil) * 1000 - readClock(client.now) - aheadMs)
}
