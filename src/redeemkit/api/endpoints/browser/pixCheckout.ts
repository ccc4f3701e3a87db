import type * as z from 'zod/mini'
import type { InvalidOptionError } from '../../../core/errors/inputErrors.ts'
import { type PixBody, pixBody, pixResponse } from '../../../schema/checkout.ts'
import { loose } from '../../../schema/loose.ts'
import { checkoutRecord } from '../../checkoutRecord.ts'
import type { HasSessionKey, OptionsFor, PaymentsClient } from '../../paymentsClient.ts'
import type { send } from '../../send.ts'
import { sessionCall } from '../../sessionCall.ts'

const answer = loose(pixResponse)

/**
 * Orders a Pix payment: `POST /api/checkout/pix`. The order is free until money arrives, and expires 5 minutes after it was made.
 * Not sent again by itself when no answer comes: the lost order expires unpaid, and another may be made. Amounts are whole cents.
 *
 * @param client one with a session key
 * @param body without `merchantId`, which is the client's
 * @param options a must where the client has no `wallet` or no `userId` of its own
 * @returns `{ brCode, quote: { cents, currency }, expires, paymentId }`: the text of the QR code to show, and what it comes to
 * @throws {@link InvalidRecordError} for a body that is not what it must be; nothing is sent then
 * @throws ServiceError for a refusal: `NOT_FOUND` (404), `CUSTOMER_BLOCKED` (423)
 * Source: PROTOCOL.md 2.6.
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
    method: 'POST',
    path: '/api/checkout/pix',
    answer,
    needsWallet: true,
    needsUserId: true,
    device: true,
    repeatable: false,
  })
}

export declare namespace pixCheckout {
  type Body = Omit<PixBody, 'merchantId'> & { merchantId?: string }
  type Options<client> = OptionsFor<client, 'wallet' | 'userId'>[0]
  type ReturnType = z.infer<typeof answer>
  type ErrorType = checkoutRecord.ErrorType | InvalidOptionError | send.ErrorType
}
