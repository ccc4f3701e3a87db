import * as z from 'zod/mini'
import type { InvalidOptionError } from '../../../core/errors/inputErrors.ts'
import { savedCard } from '../../../schema/checkout.ts'
import { loose } from '../../../schema/loose.ts'
import { pathPart } from '../../pathPart.ts'
import type { CallOptions, HasSessionKey, PaymentsClient } from '../../paymentsClient.ts'
import type { send } from '../../send.ts'
import { sessionCall } from '../../sessionCall.ts'

const answer = /* @__PURE__ */ z.array(/* @__PURE__ */ loose(savedCard))

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
    method: 'GET',
    path: `/api/customer/cards/${pathPart(client.merchantId, 'merchantId')}`,
    answer,
    repeatable: true,
  })
}

export declare namespace getSavedCards {
  type Options = CallOptions
  type ReturnType = z.infer<typeof answer>
  type ErrorType = InvalidOptionError | send.ErrorType
}
