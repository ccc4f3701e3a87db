import * as z from 'zod/mini'
import type { InvalidOptionError, InvalidRecordError } from '../../core/errors/inputErrors.ts'
import * as routes from '../../schema/endpoints/routes.ts'
import { loose } from '../../schema/loose.ts'
import {
  type PurchaseSubscriptionBody,
  purchaseSubscriptionBody,
  purchaseSubscriptionResponse,
  subscriptionPlan,
} from '../../schema/subscription.ts'
import { checkoutRecord } from '../checkoutRecord.ts'
import type { PaymentOutcomeUnknownError } from '../errors.ts'
import type { HasSessionKey, OptionsFor, PaymentsClient } from '../paymentsClient.ts'
import { routeTo } from '../routeTo.ts'
import type { send } from '../send.ts'
import { sendPayment, sessionCall } from '../sessionCall.ts'

const getPlansAnswer = /* @__PURE__ */ z.array(/* @__PURE__ */ loose(subscriptionPlan))

/**
 * Lists the merchant's plans: `GET /api/subscription/{merchantId}/plans`.
 *
 * @param client a client with a session key
 * @param options required if the client has no `wallet`
 * @returns `{ id, name, code, interval, amount: { cents, currency }, active, … }` of each
 * @see PROTOCOL.md 2.8 and 11.12
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
  type ReturnType = loose.Output<typeof subscriptionPlan>[]
  type ErrorType = InvalidOptionError | send.ErrorType
}

const purchaseSubscriptionAnswer = /* @__PURE__ */ loose(purchaseSubscriptionResponse)

/**
 * Subscribes to a plan with a saved card and pays the first period: `POST /api/subscription/{merchantId}/subscribers/token`.
 * Never retried.
 *
 * @param client a client with a session key
 * @param body `planCode` from `getPlans`, `token` from `getSavedCards`
 * @param options required if the client has no `wallet`
 * @returns `{ subscriptionId, paymentId }`; other services return plain text
 * @throws {@link InvalidRecordError} for an invalid body; nothing is sent
 * @throws ServiceError for a refusal, as from `cardCheckout`, and with `SUBSCRIPTION_STATE` (409) if the customer has the plan already;
 * {@link PaymentOutcomeUnknownError} if it is unknown whether the request paid: call `findPayments` before you pay again
 * @see PROTOCOL.md 2.8, 7.6 and 10.5
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
  type ReturnType = loose.Output<typeof purchaseSubscriptionResponse>
  type ErrorType = InvalidRecordError | InvalidOptionError | PaymentOutcomeUnknownError | send.ErrorType
}
