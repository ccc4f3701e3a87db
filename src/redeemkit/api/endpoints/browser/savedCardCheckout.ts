import type * as z from 'zod/mini'
import type { InvalidOptionError } from '../../../core/errors/inputErrors.ts'
import { cardCheckoutResponse, type SavedCardBody, savedCardBody } from '../../../schema/checkout.ts'
import { loose } from '../../../schema/loose.ts'
import { checkoutRecord } from '../../checkoutRecord.ts'
import { pathPart } from '../../pathPart.ts'
import type { CallOptions, HasSessionKey, PaymentsClient } from '../../paymentsClient.ts'
import type { send } from '../../send.ts'
import { type PaymentOutcomeUnknownError, sendPayment } from '../../sendPayment.ts'

const answer = loose(cardCheckoutResponse)

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
      path: `/api/checkout/token/${pathPart(client.merchantId, 'merchantId')}`,
      answer,
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
  type ReturnType = z.infer<typeof answer>
  type ErrorType = checkoutRecord.ErrorType | InvalidOptionError | PaymentOutcomeUnknownError | send.ErrorType
}
