import type * as z from 'zod/mini'
import type { InvalidOptionError } from '../../../core/errors/inputErrors.ts'
import { type TotalsBody, totalsBody } from '../../../schema/checkout.ts'
import { loose } from '../../../schema/loose.ts'
import { totalsResponse } from '../../../schema/totals.ts'
import { checkoutRecord } from '../../checkoutRecord.ts'
import { pathPart } from '../../pathPart.ts'
import type { CallOptions, HasSessionKey, PaymentsClient } from '../../paymentsClient.ts'
import type { send } from '../../send.ts'
import { sessionCall } from '../../sessionCall.ts'

const answer = loose(totalsResponse)

/**
 * Asks what a checkout will come to, line by line: `POST /api/checkout/totals/{merchantId}`. Creates nothing, and may be asked
 * again. Show it before the customer pays.
 *
 * @param client one with a session key
 * @param body the checkout that will be asked for, and `bin`, the first 6 to 8 digits of the card, when they are known
 * @returns `{ card?, wire?, pix?, mobileapp? }`: for each rail that the merchant takes its lines and their `total`, each in whole
 * cents
 * @throws {@link InvalidRecordError} for a body that is not what it must be; nothing is sent then
 * Source: PROTOCOL.md 2.11 and 11.21.
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
    method: 'POST',
    path: `/api/checkout/totals/${pathPart(client.merchantId, 'merchantId')}`,
    answer,
    repeatable: true,
  })
}

export declare namespace getTotals {
  type Body = TotalsBody
  type Options = CallOptions
  type ReturnType = z.infer<typeof answer>
  type ErrorType = checkoutRecord.ErrorType | InvalidOptionError | send.ErrorType
}
