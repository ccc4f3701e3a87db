import type * as z from 'zod/mini'
import type { InvalidOptionError } from '../../../core/errors/inputErrors.ts'
import {
  type ZeroAuthorizationBody,
  zeroAuthorizationBody,
  zeroAuthorizationResponse,
} from '../../../schema/checkout.ts'
import { loose } from '../../../schema/loose.ts'
import { checkoutRecord } from '../../checkoutRecord.ts'
import { pathPart } from '../../pathPart.ts'
import type { CallOptions, HasSessionKey, PaymentsClient } from '../../paymentsClient.ts'
import type { send } from '../../send.ts'
import { type PaymentOutcomeUnknownError, sendPayment } from '../../sendPayment.ts'

const answer = loose(zeroAuthorizationResponse)

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
      path: `/api/checkout/zero-authorization/${pathPart(client.merchantId, 'merchantId')}`,
      answer,
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
  type ReturnType = z.infer<typeof answer>
  type ErrorType = checkoutRecord.ErrorType | InvalidOptionError | PaymentOutcomeUnknownError | send.ErrorType
}
