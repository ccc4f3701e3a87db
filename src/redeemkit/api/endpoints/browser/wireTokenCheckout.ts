import type * as z from 'zod/mini'
import type { InvalidOptionError } from '../../../core/errors/inputErrors.ts'
import { type WireTokenBody, wireTokenBody, wireTokenResponse } from '../../../schema/checkout.ts'
import { loose } from '../../../schema/loose.ts'
import { checkoutRecord } from '../../checkoutRecord.ts'
import type { HasSessionKey, OptionsFor, PaymentsClient } from '../../paymentsClient.ts'
import type { send } from '../../send.ts'
import { sessionCall } from '../../sessionCall.ts'

const answer = loose(wireTokenResponse)

/**
 * Orders a US wire from a saved bank account: `POST /api/checkout/wire/token`. The order is free until money arrives, and expires
 * 5 minutes after it was made. Not sent again by itself when no answer comes: the lost order expires unpaid, and another may be
 * made. Amounts are whole cents.
 *
 * @param client one with a session key
 * @param body without `merchantId`, which is the client's; `token` is of the saved account
 * @param options a must where the client has no `wallet` of its own
 * @returns where to pay: `{ address, account_number, wireRoutingNumber, recipientName, memo, amount: { cents, currency }, expires,
 * paymentId }`
 * @throws {@link InvalidRecordError} for a body that is not what it must be; nothing is sent then
 * @throws ServiceError for a refusal: `NOT_FOUND` (404), `PAYMENT_METHOD_IN_USE` and `CUSTOMER_BLOCKED` (423)
 * Source: PROTOCOL.md 2.6.
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
    method: 'POST',
    path: '/api/checkout/wire/token',
    answer,
    needsWallet: true,
    device: true,
    repeatable: false,
  })
}

export declare namespace wireTokenCheckout {
  type Body = Omit<WireTokenBody, 'merchantId'> & { merchantId?: string }
  type Options<client> = OptionsFor<client, 'wallet'>[0]
  type ReturnType = z.infer<typeof answer>
  type ErrorType = checkoutRecord.ErrorType | InvalidOptionError | send.ErrorType
}
