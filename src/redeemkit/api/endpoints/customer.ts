import * as z from 'zod/mini'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { savedCard } from '../../schema/checkout.ts'
import * as routes from '../../schema/endpoints/routes.ts'
import { lightBalancesAnswer } from '../../schema/light/records.ts'
import { loose } from '../../schema/loose.ts'
import { type BalancesResponse, purchasesResponse } from '../../schema/purchase.ts'
import { checkCount } from '../clientOptions.ts'
import type { CallOptions, HasSessionKey, PaymentsClient } from '../paymentsClient.ts'
import { routeTo } from '../routeTo.ts'
import type { send } from '../send.ts'
import { sessionCall } from '../sessionCall.ts'

/**
 * Reads what the customer has: credits with a merchant, and USDC. `GET /api/customer/balances/{merchantIdOrCreditSeed}`.
 *
 * @returns US cents
 * Source: PROTOCOL.md 2.5.
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
    /** Credit seed, or merchant id. Default: the client's merchant id. */
    creditSeed?: string | undefined
  }
  type ReturnType = BalancesResponse
  type ErrorType = InvalidOptionError | send.ErrorType
}

const getPurchasesAnswer = /* @__PURE__ */ loose(purchasesResponse)

/**
 * Lists what the customer bought, the newest first: `GET /api/customer/purchases/{merchantId}`.
 *
 * @param client one with a session key
 * @param options.limit how many at most: 1 to 100, by default 20
 * @param options.after the `next` of the page before
 * @returns `{ purchases, next? }`; each purchase is `{ paymentId, status, rail, subtotal, total, refunded?, subscriptionId?, hash?,
 * createdAt }`, its amounts `{ cents, currency }`. `next` is there when there are older ones
 * @throws {@link InvalidOptionError} for a `limit` or an `after` that cannot be used; nothing is sent then
 * Source: PROTOCOL.md 2.11 and 11.22.
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
      fix: 'Give a number from 1 to 100.',
    })
  if (after !== undefined && (typeof after !== 'string' || after === ''))
    throw new InvalidOptionError('after cannot be used.', {
      field: 'after',
      fix: 'Give the next of the page before, or leave it out.',
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
  type ReturnType = z.infer<typeof getPurchasesAnswer>
  type ErrorType = InvalidOptionError | send.ErrorType
}

/**
 * Looks for a payment of which nobody knows whether it was made: the customer's purchases since it left, the newest first, the
 * failed ones too. None right away proves nothing: the service may still be at work. Look again after a minute.
 *
 * @param payment the `PaymentOutcomeUnknownError`, or its `sentAt`
 * @param options.clockSlackMs how far this machine's clock may be ahead of the service's. Default 5 minutes
 * @returns purchases that may be the payment: compare `rail`, `subtotal`, `status`
 * @throws ServiceError `NOT_FOUND` of a service that keeps no such list: there the merchant's webhooks tell
 * Source: PROTOCOL.md 7.6.
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
 * Lists the customer's cards on file: `GET /api/customer/cards/{merchantId}`.
 *
 * @param client one with a session key
 * @returns `{ token, lastFour, firstSix?, expMonth?, expYear?, createdAt? }` of each, the newest first; `token` is what
 * `savedCardCheckout` and `purchaseSubscription` take
 * Source: PROTOCOL.md 2.11 and 11.22.
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
  type ReturnType = z.infer<typeof getSavedCardsAnswer>
  type ErrorType = InvalidOptionError | send.ErrorType
}
