import type * as z from 'zod/mini'
import { InvalidOptionError } from '../../../core/errors/inputErrors.ts'
import { loose } from '../../../schema/loose.ts'
import { purchasesResponse } from '../../../schema/purchase.ts'
import { checkCount } from '../../clientOptions.ts'
import { pathPart } from '../../pathPart.ts'
import type { CallOptions, HasSessionKey, PaymentsClient } from '../../paymentsClient.ts'
import type { send } from '../../send.ts'
import { sessionCall } from '../../sessionCall.ts'

const answer = loose(purchasesResponse)

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
  return sessionCall(client, {
    ...rest,
    method: 'GET',
    path: `/api/customer/purchases/${pathPart(client.merchantId, 'merchantId')}${query.size > 0 ? `?${query}` : ''}`,
    answer,
    repeatable: true,
  })
}

export declare namespace getPurchases {
  type Options = CallOptions & {
    limit?: number | undefined
    after?: string | undefined
  }
  type ReturnType = z.infer<typeof answer>
  type ErrorType = InvalidOptionError | send.ErrorType
}
