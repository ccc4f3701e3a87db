import * as z from 'zod/mini'
import type { InvalidOptionError } from '../../../core/errors/inputErrors.ts'
import { loose } from '../../../schema/loose.ts'
import { subscriptionPlan } from '../../../schema/subscription.ts'
import { pathPart } from '../../pathPart.ts'
import type { HasSessionKey, OptionsFor, PaymentsClient } from '../../paymentsClient.ts'
import type { send } from '../../send.ts'
import { sessionCall } from '../../sessionCall.ts'

const answer = /* @__PURE__ */ z.array(/* @__PURE__ */ loose(subscriptionPlan))

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
    method: 'GET',
    path: `/api/subscription/${pathPart(client.merchantId, 'merchantId')}/plans`,
    answer,
    needsWallet: true,
    repeatable: true,
  })
}

export declare namespace getPlans {
  type Options<client> = OptionsFor<client, 'wallet'>[0]
  type ReturnType = z.infer<typeof answer>
  type ErrorType = InvalidOptionError | send.ErrorType
}
