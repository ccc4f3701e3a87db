import type * as z from 'zod/mini'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { type MobileAppBody, mobileAppBody, mobileAppResponse } from '../schema/checkout.ts'
import { loose } from '../schema/loose.ts'
import { checkoutRecord } from './checkoutRecord.ts'
import type { createPaymentsClient, PaymentsClient } from './createPaymentsClient.ts'
import type { send } from './send.ts'

const answer = loose(mobileAppResponse)

/**
 * Asks the merchant's own server to order a payment in a mobile app (PROTOCOL.md 1.6 and 2.6): the call needs the API key, which never
 * is in a page. Who the customer is, the server's own session says.
 *
 * @throws {@link InvalidOptionError} for an address that is none; what a call of the service throws
 */
export async function mobileAppCheckout(
  client: PaymentsClient,
  body: MobileAppBody,
  { handlerUrl, signal }: { handlerUrl: string; signal?: AbortSignal | undefined },
): Promise<mobileAppCheckout.ReturnType> {
  const url = readUrl(handlerUrl)
  return client.with({ baseUrl: url.origin }).request({
    ...checkoutRecord(mobileAppBody, body, 'mobileAppCheckout'),
    method: 'POST',
    path: `${url.pathname.replace(/\/+$/, '')}/mobileAppCheckout`,
    answer,
    headers: 'none',
    repeatable: false,
    signal,
  })
}

export declare namespace mobileAppCheckout {
  type ReturnType = z.infer<typeof answer>
  type ErrorType =
    | checkoutRecord.ErrorType
    | createPaymentsClient.ErrorType
    | InvalidOptionError
    | send.ErrorType
}

/** A path is one of the page's own host. */
function readUrl(handlerUrl: string): URL {
  const page = globalThis.location?.origin
  const base = page?.startsWith('http') ? page : undefined
  if (typeof handlerUrl === 'string' && URL.canParse(handlerUrl, base)) return new URL(handlerUrl, base)
  throw new InvalidOptionError(`handlerUrl is ${showValue(handlerUrl)}, which is no address.`, {
    field: 'handlerUrl',
    fix: 'Give where createMerchantHandler is mounted on your server, such as "/calls".',
  })
}
