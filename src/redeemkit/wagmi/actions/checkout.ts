import type { Config } from '@wagmi/core'
import { mobileAppCheckout, pixCheckout, wireTokenCheckout } from '../../api/endpoints/checkout.ts'
import { networkOf } from '../../evm/networks.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'
import { customerClientOf } from '../kit/customerClientOf.ts'
import { connectionOf } from './connectionOf.ts'

/**
 * Orders a payment that the customer makes elsewhere: a US wire from a saved account, a Pix, or one in a mobile payment app. What it
 * bought is there when the money has arrived, which a webhook tells your server. Cards are paid in the card frame.
 *
 * @param parameters.by the way to pay, with what it needs: `wire` the `token` of a saved account, `pix` an `email` and a kit with a
 * `userId`, `mobileApp` the address of your own server's handler (`createMerchantHandler` that exposes `mobileAppCheckout`), since that
 * call needs your API key
 * @returns where to pay, and until when: bank data, a Pix code, or a link; with the `paymentId`
 * @throws WalletNotConnectedError; PinsRequiredError; InvalidOptionError where the kit lacks what the way needs; the errors of
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
  type Parameters = Order & {
    kit: Redeemkit
    chainId?: number | undefined
    signal?: AbortSignal | undefined
  }
  type ByWire = {
    by: 'wire'
    /** Of the saved account. */
    token: string
  }
  type ByPix = { by: 'pix'; email: string }
  type ByMobileApp = {
    by: 'mobileApp'
    /**
     * Where your server's handler is, without the call's name: `/calls`. On the page's own host its cookies go along, to another none do.
     */
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
