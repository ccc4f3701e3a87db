import type { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { getPurchases } from './endpoints/browser/getPurchases.ts'
import type { CallOptions, HasSessionKey, PaymentsClient } from './paymentsClient.ts'
import type { send } from './send.ts'

/**
 * Looks for a payment of which nobody knows whether it was made: the customer's purchases since it left, the newest first, the
 * failed ones too. None right away proves nothing: the service may still be at work. Look again after a minute.
 *
 * @param payment the `PaymentOutcomeUnknownError`, or its `sentAt`
 * @param options.clockSlackMs how far this machine's clock may be ahead of the service's. Default 5 minutes
 * @returns purchases that may be the payment: compare `rail`, `subtotal`, `status`
 * @throws ServiceError `NOT_FOUND` of a service that keeps no such list: there the merchant's webhooks tell
 * Source: PROTOCOL.md 7.6.
 * @example
 * ```ts
 * import { cardCheckout, findPayments, type HasSessionKey, PaymentOutcomeUnknownError, type PaymentsClient } from 'redeemkit'
 * async function pay(client: PaymentsClient<HasSessionKey>, body: cardCheckout.Body) {
 *   try {
 *     return { paid: await cardCheckout(client, body) }
 *   } catch (error) {
 *     if (!(error instanceof PaymentOutcomeUnknownError)) throw error
 *     return { perhaps: await findPayments(client, error) }
 *   }
 * }
 * ```
 */
export async function findPayments(
  client: PaymentsClient<HasSessionKey>,
  payment: { sentAt: number },
  options: findPayments.Options = {},
): Promise<findPayments.ReturnType> {
  const { clockSlackMs = 300_000, ...rest } = options
  const since = payment.sentAt - clockSlackMs
  const found: findPayments.ReturnType = []
  let after: string | undefined
  do {
    const page = await getPurchases(client, { ...rest, limit: 100, after })
    for (const purchase of page.purchases) {
      if (Date.parse(purchase.createdAt) < since) return found
      found.push(purchase)
    }
    after = page.next
  } while (after !== undefined)
  return found
}

export declare namespace findPayments {
  type Options = CallOptions & {
    clockSlackMs?: number | undefined
  }
  type ReturnType = getPurchases.ReturnType['purchases']
  type ErrorType = InvalidOptionError | send.ErrorType
}
