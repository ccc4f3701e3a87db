import * as z from 'zod/mini'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { savedCard } from '../../schema/checkout.ts'
import * as routes from '../../schema/endpoints/routes.ts'
import { lightBalancesAnswer } from '../../schema/light.ts'
import { loose } from '../../schema/loose.ts'
import { type BalancesResponse, purchasesResponse } from '../../schema/purchase.ts'
import { checkCount } from '../clientOptions.ts'
import type { CallOptions, HasSessionKey, PaymentsClient } from '../paymentsClient.ts'
import { routeTo } from '../routeTo.ts'
import type { send } from '../send.ts'
import { sessionCall } from '../sessionCall.ts'

/**
 * Gets the customer's credits at a merchant, and the USDC of the wallet: `GET /api/customer/balances/{merchantIdOrCreditSeed}`.
 *
 * @returns both in US cents
 * @see PROTOCOL.md 2.5
 * @example
 * ```ts
 * import { createPaymentsClient, getBalances } from 'redeemkit'
 * const client = createPaymentsClient({ baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' })
 * const read = (wallet: string) => getBalances(client, { wallet })
 * ```
 */
export async function getBalances(
  client: PaymentsClient,
  options: getBalances.Options = {},
): Promise<BalancesResponse> {
  const { creditSeed = client.merchantId, ...rest } = options
  return client.request({
    ...rest,
    ...routeTo(routes.getBalances, creditSeed, 'creditSeed'),
    answer: lightBalancesAnswer,
    repeatable: true,
  })
}

export declare namespace getBalances {
  type Options = CallOptions & {
    /** Credit seed or merchant id. Default: the client's merchant id. */
    creditSeed?: string | undefined
  }
  type ReturnType = BalancesResponse
  type ErrorType = InvalidOptionError | send.ErrorType
}

const getPurchasesAnswer = /* @__PURE__ */ loose(purchasesResponse)

/**
 * Lists the customer's purchases, newest first: `GET /api/customer/purchases/{merchantId}`.
 *
 * @param client a client with a session key
 * @param options.limit maximum number, 1 to 100. Default 20
 * @param options.after the `next` of the previous page
 * @returns `{ purchases, next? }`; each purchase is `{ paymentId, status, rail, subtotal, total, refunded?, subscriptionId?,
 * hash?, createdAt }` with amounts `{ cents, currency }`. `next` is present if there are older ones
 * @throws {@link InvalidOptionError} for an invalid `limit` or `after`; nothing is sent
 * @see PROTOCOL.md 2.11 and 11.22
 * @example
 * ```ts
 * import { getPurchases, type HasSessionKey, type PaymentsClient } from 'redeemkit'
 * const list = (client: PaymentsClient<HasSessionKey>) => getPurchases(client, { limit: 10 })
 * ```
 */
export async function getPurchases(
  client: PaymentsClient<HasSessionKey>,
  options: getPurchases.Options = {},
): Promise<getPurchases.ReturnType> {
  const { limit, after, ...rest } = options
  checkCount(limit, 'limit')
  if (limit !== undefined && limit > 100)
    throw new InvalidOptionError(`limit is ${limit}.`, {
      field: 'limit',
      fix: 'Pass a number from 1 to 100.',
    })
  if (after !== undefined && (typeof after !== 'string' || after === ''))
    throw new InvalidOptionError('`after` must be text that is not empty.', {
      field: 'after',
      fix: 'Pass the `next` of the previous page, or leave it out.',
    })
  const query = new URLSearchParams()
  if (limit !== undefined) query.set('limit', String(limit))
  if (after !== undefined) query.set('after', after)
  const { method, path } = routeTo(routes.getPurchases, client.merchantId)
  return sessionCall(client, {
    ...rest,
    method,
    path: query.size > 0 ? `${path}?${query}` : path,
    answer: getPurchasesAnswer,
    repeatable: true,
  })
}

export declare namespace getPurchases {
  type Options = CallOptions & {
    limit?: number | undefined
    after?: string | undefined
  }
  type ReturnType = loose.Output<typeof purchasesResponse>
  type ErrorType = InvalidOptionError | send.ErrorType
}

/**
 * Lists the customer's purchases since a payment with an unknown outcome was sent, newest first, including failed ones: one of them
 * may be that payment. An empty list proves nothing yet: call again after a minute.
 *
 * @param payment the `PaymentOutcomeUnknownError`, or its `sentAt`
 * @param options.clockSlackMs how far this clock may be ahead of the service's. Default 5 minutes
 * @returns candidates: compare `rail`, `subtotal`, `status`
 * @throws ServiceError `NOT_FOUND` if the service has no list of purchases: then rely on the merchant's webhooks
 * @see PROTOCOL.md 7.6
 * @example
 * ```ts
 * import { cardCheckout, findPayments, type HasSessionKey, PaymentOutcomeUnknownError, type PaymentsClient } from 'redeemkit'
 * async function pay(client: PaymentsClient<HasSessionKey>, body: cardCheckout.Body) {
 *   try {
 *     return { paid: await cardCheckout(client, body) }
 *   } catch (error) {
 *     if (!(error instanceof PaymentOutcomeUnknownError)) throw error
 *     return { perhaps: await findPayments(client, error) }
 *   }
 * }
 * ```
 */
export async function findPayments(
  client: PaymentsClient<HasSessionKey>,
  payment: { sentAt: number },
  options: findPayments.Options = {},
): Promise<findPayments.ReturnType> {
  const { clockSlackMs = 300_000, ...rest } = options
  const since = payment.sentAt - clockSlackMs
  const found: findPayments.ReturnType = []
  let after: string | undefined
  do {
    const page = await getPurchases(client, { ...rest, limit: 100, after })
    for (const purchase of page.purchases) {
      if (Date.parse(purchase.createdAt) < since) return found
      found.push(purchase)
    }
    after = page.next
  } while (after !== undefined)
  return found
}

export declare namespace findPayments {
  type Options = CallOptions & {
    clockSlackMs?: number | undefined
  }
  type ReturnType = getPurchases.ReturnType['purchases']
  type ErrorType = InvalidOptionError | send.ErrorType
}

const getSavedCardsAnswer = /* @__PURE__ */ z.array(/* @__PURE__ */ loose(savedCard))

/**
 * Lists the customer's saved cards: `GET /api/customer/cards/{merchantId}`.
 *
 * @param client a client with a session key
 * @returns `{ token, lastFour, firstSix?, expMonth?, expYear?, createdAt? }` of each, newest first; pass `token` to
 * `savedCardCheckout` or `purchaseSubscription`
 * @see PROTOCOL.md 2.11 and 11.22
 * @example
 * ```ts
 * import { getSavedCards, type HasSessionKey, type PaymentsClient } from 'redeemkit'
 * const list = (client: PaymentsClient<HasSessionKey>) => getSavedCards(client)
 * ```
 */
export async function getSavedCards(
  client: PaymentsClient<HasSessionKey>,
  options: getSavedCards.Options = {},
): Promise<getSavedCards.ReturnType> {
  return sessionCall(client, {
    ...options,
    ...routeTo(routes.getSavedCards, client.merchantId),
    answer: getSavedCardsAnswer,
    repeatable: true,
  })
}

export declare namespace getSavedCards {
  type Options = CallOptions
  type ReturnType = loose.Output<typeof savedCard>[]
  type ErrorType = InvalidOptionError | send.ErrorType
}
