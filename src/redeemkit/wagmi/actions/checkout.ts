import type { Config } from '@wagmi/core'
import {
  getTotals as getTotalsOf,
  mobileAppCheckout,
  pixCheckout,
  wireTokenCheckout,
} from '../../api/endpoints/checkout.ts'
import { networkOf } from '../../evm/networks.ts'
import { asConnected, type CallParameters, type Redeemkit } from '../kit.ts'
import {
  type MutationOf,
  type MutationOptionsOf,
  mutationDefaults,
  plainKey,
  type QueryOf,
  type QueryOptionsOf,
  retry,
} from '../queryOptions.ts'
import { customerClientOf } from '../readKit.ts'
import { connectionOf } from './connectionOf.ts'

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

/**
 * Orders a payment that the customer makes elsewhere: a US wire from a saved account, a Pix, or a mobile payment app. A webhook
 * notifies your server when the money arrives. Cards are paid in the card form.
 *
 * @param parameters.by payment method: `wire` with the `token` of a saved account, `pix` with an `email` and a kit with a `userId`,
 * `mobileApp` with the URL of your server's handler (`createMerchantHandler` that exposes `mobileAppCheckout`), because that call needs
 * your API key
 * @returns where to pay, and until when (bank data, a Pix code, or a link), and the `paymentId`
 * @throws WalletNotConnectedError; PinsRequiredError; InvalidOptionError if the kit lacks what the method needs; the errors of
 * `wireTokenCheckout` and `pixCheckout` of `redeemkit`
 * @see PROTOCOL.md 2.6
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { checkout, type Redeemkit } from 'redeemkit/wagmi'
 * const order = { subtotal: { cents: 1000, currency: 'USD' }, settlementType: 'Credits' } as const
 * const byPix = async (config: Config, kit: Redeemkit, email: string) => {
 *   const { brCode, expires } = await checkout(config, { kit, ...order, by: 'pix', email })
 *   return { brCode, expires }
 * }
 * ```
 */
export function checkout(
  config: Config,
  parameters: checkout.Parameters & checkout.ByPix,
): Promise<checkout.PixOrder>
export function checkout(
  config: Config,
  parameters: checkout.Parameters & checkout.ByWire,
): Promise<checkout.WireOrder>
export function checkout(
  config: Config,
  parameters: checkout.Parameters & checkout.ByMobileApp,
): Promise<checkout.MobileAppOrder>
export function checkout(
  config: Config,
  parameters: checkout.Parameters & checkout.Way,
): Promise<checkout.ReturnType>
export async function checkout(
  config: Config,
  parameters: checkout.Parameters & checkout.Way,
): Promise<checkout.ReturnType> {
  const { kit, chainId: _, signal, ...rest } = parameters
  const { wallet, chainId } = connectionOf(config, parameters)
  const { blockchain } = networkOf({ chainId })
  const client = customerClientOf(kit)
  const call = { wallet, blockchain, signal }
  if (rest.by === 'wire') {
    const { by, ...body } = rest
    return { by, ...(await wireTokenCheckout(client, body, call)) }
  }
  if (rest.by === 'pix') {
    const { by, ...body } = rest
    return { by, ...(await pixCheckout(client, body, call)) }
  }
  const { by, handlerUrl, ...body } = rest
  return { by, ...(await mobileAppCheckout(client, body, { handlerUrl, signal })) }
}

export declare namespace checkout {
  type Order = Omit<pixCheckout.Body, 'email' | 'merchantId'>
  type Parameters = Order & CallParameters
  type ByWire = {
    by: 'wire'
    /** Token of the saved account. */
    token: string
  }
  type ByPix = { by: 'pix'; email: string }
  type ByMobileApp = {
    by: 'mobileApp'
    /** URL of your server's handler, without the call's name, such as `/calls`. Cookies are sent only to the page's own host. */
    handlerUrl: string
    email?: string | undefined
  }
  type Way = ByWire | ByPix | ByMobileApp
  type WireOrder = { by: 'wire' } & wireTokenCheckout.ReturnType
  type PixOrder = { by: 'pix' } & pixCheckout.ReturnType
  type MobileAppOrder = { by: 'mobileApp' } & mobileAppCheckout.ReturnType
  type ReturnType = WireOrder | PixOrder | MobileAppOrder
  type ErrorType =
    | connectionOf.ErrorType
    | networkOf.ErrorType
    | wireTokenCheckout.ErrorType
    | pixCheckout.ErrorType
    | mobileAppCheckout.ErrorType
}

/**
 * Returns TanStack Query mutation options that order a payment by wire, Pix or mobile app.
 * @example
 * ```ts
 * import { MutationObserver, QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { checkoutMutationOptions, type Redeemkit } from 'redeemkit/wagmi'
 * const order = (config: Config, kit: Redeemkit, email: string) =>
 *   new MutationObserver(new QueryClient(), checkoutMutationOptions(config, { kit })).mutate({
 *     subtotal: { cents: 1000, currency: 'USD' },
 *     settlementType: 'Credits',
 *     by: 'pix',
 *     email,
 *   })
 * ```
 */
export function checkoutMutationOptions(
  config: Config,
  { kit, mutation }: checkoutMutationOptions.Parameters,
): checkoutMutationOptions.ReturnType {
  return {
    ...mutationDefaults,
    ...mutation,
    mutationKey: ['redeemkit', 'checkout', { kit: kit.key }],
    mutationFn: (variables) => checkout(config, { ...variables, kit }),
  }
}

export declare namespace checkoutMutationOptions {
  type Variables = Omit<checkout.Parameters, 'kit'> & checkout.Way
  type Parameters = { kit: Redeemkit } & MutationOf<checkout.ReturnType, Variables>
  type ReturnType = MutationOptionsOf<checkout.ReturnType, Variables>
}
