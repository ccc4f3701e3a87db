import type * as z from 'zod/mini'
import type { InvalidOptionError } from '../../../core/errors/inputErrors.ts'
import { type CardCheckoutBody, cardCheckoutBody, cardCheckoutResponse } from '../../../schema/checkout.ts'
import { loose } from '../../../schema/loose.ts'
import { checkoutRecord } from '../../checkoutRecord.ts'
import { pathPart } from '../../pathPart.ts'
import type { CallOptions, HasSessionKey, PaymentsClient } from '../../paymentsClient.ts'
import type { send } from '../../send.ts'
import { type PaymentOutcomeUnknownError, sendPayment } from '../../sendPayment.ts'

const answer = loose(cardCheckoutResponse)

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
      path: `/api/checkout/card/${pathPart(client.merchantId, 'merchantId')}`,
      answer,
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
  type ReturnType = z.infer<typeof answer>
  type ErrorType = checkoutRecord.ErrorType | InvalidOptionError | PaymentOutcomeUnknownError | send.ErrorType
}
