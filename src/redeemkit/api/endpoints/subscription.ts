import * as z from 'zod/mini'
import type { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import * as routes from '../../schema/endpoints/routes.ts'
import { loose } from '../../schema/loose.ts'
import {
  type PurchaseSubscriptionBody,
  purchaseSubscriptionBody,
  purchaseSubscriptionResponse,
  subscriptionPlan,
} from '../../schema/subscription.ts'
import { checkoutRecord } from '../checkoutRecord.ts'
import type { HasSessionKey, OptionsFor, PaymentsClient } from '../paymentsClient.ts'
import { routeTo } from '../routeTo.ts'
import type { send } from '../send.ts'
import { type PaymentOutcomeUnknownError, sendPayment } from '../sendPayment.ts'
import { sessionCall } from '../sessionCall.ts'

const getPlansAnswer = /* @__PURE__ */ z.array(/* @__PURE__ */ loose(subscriptionPlan))

/**
 * Lists the plans that the merchant offers: `GET /api/subscription/{merchantId}/plans`.
 *
 * @param client one with a session key
 * @param options a must where the client has no `wallet` of its own
 * @returns `{ id, name, code, interval, amount: { cents, currency }, active, … }` of each
 * Source: PROTOCOL.md 2.8 and 11.12.
 * @example
 * ```ts
 * import { getPlans, type HasSessionKey, type PaymentsClient } from 'redeemkit'
 * const list = (client: PaymentsClient<HasSessionKey>, wallet: string) => getPlans(client, { wallet })
 * ```
 */
export async function getPlans<const client extends PaymentsClient<HasSessionKey>>(
  client: client,
  ...[options]: OptionsFor<client, 'wallet'>
): Promise<getPlans.ReturnType> {
  return sessionCall(client, {
    ...options,
    ...routeTo(routes.getPlans, client.merchantId),
    answer: getPlansAnswer,
    needsWallet: true,
    repeatable: true,
  })
}

export declare namespace getPlans {
  type Options<client> = OptionsFor<client, 'wallet'>[0]
  type ReturnType = z.infer<typeof getPlansAnswer>
  type ErrorType = InvalidOptionError | send.ErrorType
}

const purchaseSubscriptionAnswer = /* @__PURE__ */ loose(purchaseSubscriptionResponse)

/**
 * Buys a plan with a card on file, and pays its first period: `POST /api/subscription/{merchantId}/subscribers/token`. Sent once,
 * whatever is answered.
 *
 * @param client one with a session key
 * @param body `planCode` of `getPlans`, `token` of `getSavedCards`
 * @param options a must where the client has no `wallet` of its own
 * @returns `{ subscriptionId, paymentId }`; other services answer a plain text
 * @throws {@link InvalidRecordError} for a body that is not what it must be; nothing is sent then
 * @throws ServiceError for a refusal, as `cardCheckout`, and `SUBSCRIPTION_STATE` (409) for a plan that the customer has already;
 * {@link PaymentOutcomeUnknownError} when it left and nobody knows: `getPurchases` tells
 * Source: PROTOCOL.md 2.8, 7.6 and 10.5.
 * @example
 * ```ts
 * import { type HasSessionKey, type PaymentsClient, purchaseSubscription } from 'redeemkit'
 * const subscribe = (client: PaymentsClient<HasSessionKey>, wallet: string, token: string) =>
 *   purchaseSubscription(client, { planCode: 'monthly', token }, { wallet })
 * ```
 */
export async function purchaseSubscription<const client extends PaymentsClient<HasSessionKey>>(
  client: client,
  body: purchaseSubscription.Body,
  ...[options]: OptionsFor<client, 'wallet'>
): Promise<purchaseSubscription.ReturnType> {
  return sendPayment(
    client,
    {
      ...options,
      ...checkoutRecord(purchaseSubscriptionBody, body, 'purchaseSubscription'),
      ...routeTo(routes.purchaseSubscription, client.merchantId),
      answer: purchaseSubscriptionAnswer,
      needsWallet: true,
      device: true,
    },
    'getPurchases',
  )
}

export declare namespace purchaseSubscription {
  type Body = PurchaseSubscriptionBody
  type Options<client> = OptionsFor<client, 'wallet'>[0]
  type ReturnType = z.infer<typeof purchaseSubscriptionAnswer>
  type ErrorType = checkoutRecord.ErrorType | InvalidOptionError | PaymentOutcomeUnknownError | send.ErrorType
}
