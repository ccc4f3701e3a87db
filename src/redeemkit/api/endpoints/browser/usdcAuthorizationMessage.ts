import type { InvalidRecordError } from '../../../core/errors/inputErrors.ts'
import { loose } from '../../../schema/loose.ts'
import { parseRecord } from '../../../schema/parseRecord.ts'
import {
  type UsdcAuthorizationBody,
  type UsdcAuthorizationMessage,
  usdcAuthorizationBody,
  usdcAuthorizationMessage as usdcAuthorizationMessageRecord,
} from '../../../schema/usdcAuthorization.ts'
import type { CallOptions, PaymentsClient } from '../../paymentsClient.ts'
import type { send } from '../../send.ts'

const answer = loose(usdcAuthorizationMessageRecord)

/**
 * Asks for the USDC authorization of a checkout: `POST /api/checkout/evm/usdc-authorization`. Check it before it is signed:
 * `parseUsdcAuthorizationMessage` of `redeemkit/evm` reads it.
 *
 * @throws {@link InvalidRecordError} for a body that is not what it must be; nothing is sent then
 * Source: PROTOCOL.md 2.3.
 * @example
 * ```ts
 * import { createPaymentsClient, usdcAuthorizationMessage } from 'redeemkit'
 * const client = createPaymentsClient({ baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' })
 * const ask = (wallet: string) => usdcAuthorizationMessage(client, { amount: { cents: 400 } }, { wallet })
 * ```
 */
export async function usdcAuthorizationMessage(
  client: PaymentsClient,
  body: UsdcAuthorizationBody,
  options: usdcAuthorizationMessage.Options = {},
): Promise<UsdcAuthorizationMessage> {
  return client.request({
    ...options,
    method: 'POST',
    path: '/api/checkout/evm/usdc-authorization',
    body: parseRecord(usdcAuthorizationBody, body, { record: 'The body of usdc-authorization' }),
    answer,
    // It makes a text and moves nothing.
    repeatable: true,
  })
}

export declare namespace usdcAuthorizationMessage {
  type Options = CallOptions
  type ReturnType = UsdcAuthorizationMessage
  type ErrorType = InvalidRecordError | send.ErrorType
}
