import type * as z from 'zod/mini'
import type { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import {
  type CardCheckoutBody,
  cardCheckoutBody,
  cardCheckoutResponse,
  type SavedCardBody,
  savedCardBody,
  type ZeroAuthorizationBody,
  zeroAuthorizationBody,
  zeroAuthorizationResponse,
} from '../../schema/checkout.ts'
import * as routes from '../../schema/endpoints/routes.ts'
import { loose } from '../../schema/loose.ts'
import { checkoutRecord } from '../checkoutRecord.ts'
import type { CallOptions, HasSessionKey, PaymentsClient } from '../paymentsClient.ts'
import { routeTo } from '../routeTo.ts'
import type { send } from '../send.ts'
import { type PaymentOutcomeUnknownError, sendPayment } from '../sendPayment.ts'

const cardCheckoutAnswer = /* @__PURE__ */ loose(cardCheckoutResponse)

/**
 * Pays with a card: `POST /api/checkout/card/{merchantId}`. Sent once, whatever is answered: each call is a payment.
 *
 * Put your order id into `webhookInfo`: it stands in the merchant's record of the payment and in its webhooks. A 3DS challenge is a
 * service error of code `CHALLENGE_REQUIRED`: the customer completes `error.challenge`, and the same body goes again with
 * `authentication3DS: { transactionId }`. Amounts are whole cents.
 *
 * @param client one with a session key
 * @param body `card.cardToken` is a token of the card form: never a card's number
 * @param options.clientIp the customer's address, where a server calls for them
 * @returns `{ paymentId, status?, hash? }`; `settled` when the funds have settled, `authorized` with `authOnly`
 * @throws {@link InvalidRecordError} for a body that is not what it must be; nothing is sent then
 * @throws ServiceError for a refusal: `CARD_DECLINED` and `FRAUD_SUSPECTED` (402), `CHALLENGE_REQUIRED` (412),
 * `CUSTOMER_BLOCKED` (423). Nothing was paid
 * @throws {@link PaymentOutcomeUnknownError} when it left and nobody knows: look before another payment is made (`findPayments`)
 * Source: PROTOCOL.md 2.6, 7.6 and 10.3.
 * @example
 * ```ts
 * import { cardCheckout, createPaymentsClient } from 'redeemkit'
 * const pay = (sessionKey: string, cardToken: string) => {
 *   const client = createPaymentsClient({
 *     baseUrl: 'https://service.example',
 *     merchantId: 'shop',
 *     blockchain: 'base',
 *     sessionKey,
 *   })
 *   return cardCheckout(client, {
 *     subtotal: { cents: 1000, currency: 'USD' },
 *     card: { cardToken },
 *     webhookInfo: { orderId: 'order 1' },
 *   })
 * }
 * ```
 */
export async function cardCheckout(
  client: PaymentsClient<HasSessionKey>,
  body: cardCheckout.Body,
  options: cardCheckout.Options = {},
): Promise<cardCheckout.ReturnType> {
  return sendPayment(
    client,
    {
      ...options,
      ...checkoutRecord(cardCheckoutBody, body, 'cardCheckout'),
      ...routeTo(routes.cardCheckout, client.merchantId),
      answer: cardCheckoutAnswer,
      device: true,
    },
    'getPurchases',
  )
}

export declare namespace cardCheckout {
  type Body = CardCheckoutBody
  type Options = CallOptions & {
    clientIp?: string | undefined
  }
  type ReturnType = z.infer<typeof cardCheckoutAnswer>
  type ErrorType = checkoutRecord.ErrorType | InvalidOptionError | PaymentOutcomeUnknownError | send.ErrorType
}

const savedCardCheckoutAnswer = /* @__PURE__ */ loose(cardCheckoutResponse)

/**
 * Pays with a card on file: `POST /api/checkout/token/{merchantId}`. Sent once, whatever is answered, as `cardCheckout`.
 * Amounts are whole cents.
 *
 * @param client one with a session key
 * @param body `token` is of `getSavedCards` or `zeroAuthorization`
 * @param options.clientIp the customer's address, where a server calls for them
 * @returns `{ paymentId, status?, hash? }`
 * @throws {@link InvalidRecordError} for a body that is not what it must be; nothing is sent then
 * @throws ServiceError for a refusal, as `cardCheckout`; {@link PaymentOutcomeUnknownError} when it left and nobody knows
 * Source: PROTOCOL.md 2.11 and 7.6.
 * @example
 * ```ts
 * import { type HasSessionKey, type PaymentsClient, savedCardCheckout } from 'redeemkit'
 * const pay = (client: PaymentsClient<HasSessionKey>, token: string) =>
 *   savedCardCheckout(client, { token, subtotal: { cents: 1000, currency: 'USD' } })
 * ```
 */
export async function savedCardCheckout(
  client: PaymentsClient<HasSessionKey>,
  body: savedCardCheckout.Body,
  options: savedCardCheckout.Options = {},
): Promise<savedCardCheckout.ReturnType> {
  return sendPayment(
    client,
    {
      ...options,
      ...checkoutRecord(savedCardBody, body, 'savedCardCheckout'),
      ...routeTo(routes.savedCardCheckout, client.merchantId),
      answer: savedCardCheckoutAnswer,
      device: true,
    },
    'getPurchases',
  )
}

export declare namespace savedCardCheckout {
  type Body = SavedCardBody
  type Options = CallOptions & {
    clientIp?: string | undefined
  }
  type ReturnType = z.infer<typeof savedCardCheckoutAnswer>
  type ErrorType = checkoutRecord.ErrorType | InvalidOptionError | PaymentOutcomeUnknownError | send.ErrorType
}

const zeroAuthorizationAnswer = /* @__PURE__ */ loose(zeroAuthorizationResponse)

/**
 * Puts a card on file, or checks one that is: `POST /api/checkout/zero-authorization/{merchantId}`. Nothing is charged, but the bank
 * is asked, so it is sent once, whatever is answered.
 *
 * @param client one with a session key
 * @param body exactly one of `card` with a `cardToken` of the card form, and the `token` of a card on file
 * @param options.clientIp the customer's address, where a server calls for them
 * @returns `{ paymentId, token?, status? }`; `token` is what `savedCardCheckout` and `purchaseSubscription` take. Other services may
 * leave it out: then `getSavedCards` has it
 * @throws {@link InvalidRecordError} for a body that is not what it must be; nothing is sent then
 * @throws ServiceError for a refusal, as `cardCheckout`; {@link PaymentOutcomeUnknownError} when it left and nobody knows:
 * `getSavedCards` tells
 * Source: PROTOCOL.md 2.11 and 7.6.
 * @example
 * ```ts
 * import { type HasSessionKey, type PaymentsClient, zeroAuthorization } from 'redeemkit'
 * const keepCard = (client: PaymentsClient<HasSessionKey>, cardToken: string) =>
 *   zeroAuthorization(client, { card: { cardToken } })
 * ```
 */
export async function zeroAuthorization(
  client: PaymentsClient<HasSessionKey>,
  body: zeroAuthorization.Body,
  options: zeroAuthorization.Options = {},
): Promise<zeroAuthorization.ReturnType> {
  return sendPayment(
    client,
    {
      ...options,
      ...checkoutRecord(zeroAuthorizationBody, body, 'zeroAuthorization'),
      ...routeTo(routes.zeroAuthorization, client.merchantId),
      answer: zeroAuthorizationAnswer,
      device: true,
    },
    'getSavedCards',
  )
}

export declare namespace zeroAuthorization {
  type Body = ZeroAuthorizationBody
  type Options = CallOptions & {
    clientIp?: string | undefined
  }
  type ReturnType = z.infer<typeof zeroAuthorizationAnswer>
  type ErrorType = checkoutRecord.ErrorType | InvalidOptionError | PaymentOutcomeUnknownError | send.ErrorType
}
