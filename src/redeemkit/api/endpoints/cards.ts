import type { InvalidOptionError, InvalidRecordError } from '../../core/errors/inputErrors.ts'
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
import type { PaymentOutcomeUnknownError } from '../errors.ts'
import type { CallOptions, HasSessionKey, PaymentsClient } from '../paymentsClient.ts'
import { routeTo } from '../routeTo.ts'
import type { send } from '../send.ts'
import { sendPayment } from '../sessionCall.ts'

const cardCheckoutAnswer = /* @__PURE__ */ loose(cardCheckoutResponse)

/**
 * Pays with a card: `POST /api/checkout/card/{merchantId}`. Never retried, because each request is a payment.
 *
 * Put your order id into `webhookInfo`: the merchant's payment record and webhooks include it. After an error with the code
 * `CHALLENGE_REQUIRED`, let the customer complete `error.challenge`, then send the same body with `authentication3DS: {
 * transactionId }`. Amounts are whole cents.
 *
 * @param client a client with a session key
 * @param body `card.cardToken` is a token from the card form, never a card number
 * @param options.clientIp the customer's IP address, if a server makes the call
 * @returns `{ paymentId, status?, hash? }`; `status` is `settled` once the funds have settled, `authorized` with `authOnly`
 * @throws {@link InvalidRecordError} for an invalid body; nothing is sent
 * @throws ServiceError for a refusal: `CARD_DECLINED` and `FRAUD_SUSPECTED` (402), `CHALLENGE_REQUIRED` (412), `CUSTOMER_BLOCKED`
 * (423). Nothing was charged
 * @throws {@link PaymentOutcomeUnknownError} if it is unknown whether the request paid: call `findPayments` before you pay again
 * @see PROTOCOL.md 2.6, 7.6 and 10.3
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
  type ReturnType = loose.Output<typeof cardCheckoutResponse>
  type ErrorType = InvalidRecordError | InvalidOptionError | PaymentOutcomeUnknownError | send.ErrorType
}

/**
 * Pays with a saved card: `POST /api/checkout/token/{merchantId}`. Never retried, like `cardCheckout`. Amounts are whole cents.
 *
 * @param client a client with a session key
 * @param body `token` comes from `getSavedCards` or `zeroAuthorization`
 * @param options.clientIp the customer's IP address, if a server makes the call
 * @returns `{ paymentId, status?, hash? }`
 * @throws {@link InvalidRecordError} for an invalid body; nothing is sent
 * @throws ServiceError for a refusal; {@link PaymentOutcomeUnknownError}, as from `cardCheckout`
 * @see PROTOCOL.md 2.11 and 7.6
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
      answer: cardCheckoutAnswer,
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
  type ReturnType = loose.Output<typeof cardCheckoutResponse>
  type ErrorType = InvalidRecordError | InvalidOptionError | PaymentOutcomeUnknownError | send.ErrorType
}

const zeroAuthorizationAnswer = /* @__PURE__ */ loose(zeroAuthorizationResponse)

/**
 * Saves a card, or checks a saved card: `POST /api/checkout/zero-authorization/{merchantId}`. Charges nothing. Never retried, because
 * each request asks the bank.
 *
 * @param client a client with a session key
 * @param body exactly one of `card` with a `cardToken` from the card form, or the `token` of a saved card
 * @param options.clientIp the customer's IP address, if a server makes the call
 * @returns `{ paymentId, token?, status? }`; pass `token` to `savedCardCheckout` or `purchaseSubscription`. If the service omits
 * `token`, get it from `getSavedCards`
 * @throws {@link InvalidRecordError} for an invalid body; nothing is sent
 * @throws ServiceError for a refusal; {@link PaymentOutcomeUnknownError}, as from `cardCheckout`
 * @see PROTOCOL.md 2.11 and 7.6
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
  type ReturnType = loose.Output<typeof zeroAuthorizationResponse>
  type ErrorType = InvalidRecordError | InvalidOptionError | PaymentOutcomeUnknownError | send.ErrorType
}
