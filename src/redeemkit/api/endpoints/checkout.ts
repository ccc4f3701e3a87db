import { InvalidOptionError, type InvalidRecordError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { parseUrl } from '../../core/parseUrl.ts'
import {
  type MobileAppBody,
  mobileAppBody,
  mobileAppResponse,
  type PixBody,
  pixBody,
  pixResponse,
  type TotalsBody,
  totalsBody,
  type WireTokenBody,
  wireTokenBody,
  wireTokenResponse,
} from '../../schema/checkout.ts'
import * as routes from '../../schema/endpoints/routes.ts'
import { loose } from '../../schema/loose.ts'
import { totalsResponse } from '../../schema/totals.ts'
import { checkoutRecord } from '../checkoutRecord.ts'
import type { createPaymentsClient } from '../createPaymentsClient.ts'
import type { CallOptions, HasSessionKey, OptionsFor, PaymentsClient } from '../paymentsClient.ts'
import { routeTo } from '../routeTo.ts'
import type { send } from '../send.ts'
import { sessionCall } from '../sessionCall.ts'

const getTotalsAnswer = /* @__PURE__ */ loose(totalsResponse)

/**
 * Calculates the totals of a checkout: `POST /api/checkout/totals/{merchantId}`. Creates nothing. Show the totals before the
 * customer pays.
 *
 * @param client a client with a session key
 * @param body the planned checkout, and `bin`, the first 6 to 8 digits of the card, if known
 * @returns `{ card?, wire?, pix?, mobileapp? }`: the lines and the `total` of each available rail, in whole cents
 * @throws {@link InvalidRecordError} for an invalid body; nothing is sent
 * @see PROTOCOL.md 2.11 and 11.21
 * @example
 * ```ts
 * import { getTotals, type HasSessionKey, type PaymentsClient } from 'redeemkit'
 * const quote = async (client: PaymentsClient<HasSessionKey>) =>
 *   (await getTotals(client, { subtotal: { cents: 1000, currency: 'USD' } })).card?.total.cents
 * ```
 */
export async function getTotals(
  client: PaymentsClient<HasSessionKey>,
  body: getTotals.Body,
  options: getTotals.Options = {},
): Promise<getTotals.ReturnType> {
  return sessionCall(client, {
    ...options,
    ...checkoutRecord(totalsBody, body, 'getTotals'),
    ...routeTo(routes.getTotals, client.merchantId),
    answer: getTotalsAnswer,
    repeatable: true,
  })
}

export declare namespace getTotals {
  type Body = TotalsBody
  type Options = CallOptions
  type ReturnType = loose.Output<typeof totalsResponse>
  type ErrorType = InvalidRecordError | InvalidOptionError | send.ErrorType
}

const pixCheckoutAnswer = /* @__PURE__ */ loose(pixResponse)

/**
 * Creates an order for a Pix payment: `POST /api/checkout/pix`. It costs nothing until the customer pays, and expires after 5
 * minutes. Not retried: if the response is lost, create another order, and the first one expires. Amounts are whole cents.
 *
 * @param client a client with a session key
 * @param body `merchantId` defaults to the client's
 * @param options required if the client has no `wallet` or no `userId`
 * @returns `{ brCode, quote: { cents, currency }, expires, paymentId }`: the text of the QR code, and the amount
 * @throws {@link InvalidRecordError} for an invalid body; nothing is sent
 * @throws ServiceError for a refusal: `NOT_FOUND` (404), `CUSTOMER_BLOCKED` (423)
 * @see PROTOCOL.md 2.6
 * @example
 * ```ts
 * import { type HasSessionKey, type PaymentsClient, pixCheckout } from 'redeemkit'
 * const order = (client: PaymentsClient<HasSessionKey>, wallet: string, userId: string) =>
 *   pixCheckout(
 *     client,
 *     { email: 'alice@shop.example', subtotal: { cents: 1000, currency: 'BRL' } },
 *     { wallet, userId },
 *   )
 * ```
 */
export async function pixCheckout<const client extends PaymentsClient<HasSessionKey>>(
  client: client,
  body: pixCheckout.Body,
  ...[options]: OptionsFor<client, 'wallet' | 'userId'>
): Promise<pixCheckout.ReturnType> {
  const { merchantId } = client
  return sessionCall(client, {
    ...options,
    ...checkoutRecord(pixBody, { merchantId, ...body }, 'pixCheckout'),
    ...routes.pixCheckout,
    answer: pixCheckoutAnswer,
    needsWallet: true,
    needsUserId: true,
    device: true,
    repeatable: false,
  })
}

export declare namespace pixCheckout {
  type Body = Omit<PixBody, 'merchantId'> & { merchantId?: string }
  type Options<client> = OptionsFor<client, 'wallet' | 'userId'>[0]
  type ReturnType = loose.Output<typeof pixResponse>
  type ErrorType = InvalidRecordError | InvalidOptionError | send.ErrorType
}

const wireTokenCheckoutAnswer = /* @__PURE__ */ loose(wireTokenResponse)

/**
 * Creates an order for a US wire from a saved bank account: `POST /api/checkout/wire/token`. It costs nothing until the customer
 * pays, and expires (PROTOCOL.md 10.1). Not retried: if the response is lost, create another order, and the first one expires. Amounts
 * are whole cents.
 *
 * @param client a client with a session key
 * @param body `merchantId` defaults to the client's; `token` identifies the saved account
 * @param options required if the client has no `wallet`
 * @returns the account to pay: `{ address, account_number, wireRoutingNumber, recipientName, memo, amount: { cents, currency },
 * expires, paymentId }`
 * @throws {@link InvalidRecordError} for an invalid body; nothing is sent
 * @throws ServiceError for a refusal: `NOT_FOUND` (404), `PAYMENT_METHOD_IN_USE` and `CUSTOMER_BLOCKED` (423)
 * @see PROTOCOL.md 2.6
 * @example
 * ```ts
 * import { type HasSessionKey, type PaymentsClient, wireTokenCheckout } from 'redeemkit'
 * const order = (client: PaymentsClient<HasSessionKey>, wallet: string, token: string) =>
 *   wireTokenCheckout(client, { token, subtotal: { cents: 1000, currency: 'USD' } }, { wallet })
 * ```
 */
export async function wireTokenCheckout<const client extends PaymentsClient<HasSessionKey>>(
  client: client,
  body: wireTokenCheckout.Body,
  ...[options]: OptionsFor<client, 'wallet'>
): Promise<wireTokenCheckout.ReturnType> {
  const { merchantId } = client
  return sessionCall(client, {
    ...options,
    ...checkoutRecord(wireTokenBody, { merchantId, ...body }, 'wireTokenCheckout'),
    ...routes.wireTokenCheckout,
    answer: wireTokenCheckoutAnswer,
    needsWallet: true,
    device: true,
    repeatable: false,
  })
}

export declare namespace wireTokenCheckout {
  type Body = Omit<WireTokenBody, 'merchantId'> & { merchantId?: string }
  type Options<client> = OptionsFor<client, 'wallet'>[0]
  type ReturnType = loose.Output<typeof wireTokenResponse>
  type ErrorType = InvalidRecordError | InvalidOptionError | send.ErrorType
}

const mobileAppCheckoutAnswer = /* @__PURE__ */ loose(mobileAppResponse)

/** Asks the merchant's server for the order (PROTOCOL.md 1.6, 2.6), because only that server has the API key that the call needs. */
export async function mobileAppCheckout(
  client: PaymentsClient,
  body: MobileAppBody,
  { handlerUrl, signal }: { handlerUrl: string; signal?: AbortSignal | undefined },
): Promise<mobileAppCheckout.ReturnType> {
  const url = readUrl(handlerUrl)
  return client.with({ baseUrl: url.origin }).request({
    ...checkoutRecord(mobileAppBody, body, 'mobileAppCheckout'),
    method: 'POST',
    path: `${url.pathname.replace(/\/+$/, '')}/mobileAppCheckout`,
    answer: mobileAppCheckoutAnswer,
    headers: 'none',
    device: true,
    repeatable: false,
    signal,
  })
}

export declare namespace mobileAppCheckout {
  type ReturnType = loose.Output<typeof mobileAppResponse>
  type ErrorType = InvalidRecordError | createPaymentsClient.ErrorType | InvalidOptionError | send.ErrorType
}

function readUrl(handlerUrl: string): URL {
  const page = globalThis.location?.origin
  const base = page?.startsWith('http') ? page : undefined
  const url = typeof handlerUrl === 'string' ? parseUrl(handlerUrl, base) : undefined
  if (url !== undefined) return url
  throw new InvalidOptionError(`handlerUrl is ${showValue(handlerUrl)}, which is not a URL.`, {
    field: 'handlerUrl',
    fix: 'Pass the path of createMerchantHandler on your server, such as "/calls".',
  })
}
