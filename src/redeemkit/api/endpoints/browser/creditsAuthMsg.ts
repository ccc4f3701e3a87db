import type { InvalidRecordError } from '../../../core/errors/inputErrors.ts'
import {
  type CreditsAuthMsgBody,
  type CreditsAuthMsgResponse,
  creditsAuthMsgBody,
} from '../../../schema/creditsAuthMsg.ts'
import { parseRecord } from '../../../schema/parseRecord.ts'
import { askCreditsAuthMsg } from '../../askCreditsAuthMsg.ts'
import type { CallOptions, PaymentsClient } from '../../paymentsClient.ts'

/**
 * Asks for the credit permit that a redeem needs: `POST /api/redeem/evm/creditsAuthMsg`. What comes back is not yet fit to be
 * signed: `prepareRedeem` checks it.
 *
 * With `salt` and `orderKey` (or `purchaseId`) it is retried, because the same intent then gets the same nonce. Otherwise it is sent
 * once.
 *
 * @param body without `merchantId`, which is the client's
 * @throws {@link InvalidRecordError} for a body that is not what it must be; nothing is sent then
 * Source: PROTOCOL.md 2.2.
 * @example
 * ```ts
 * import { createPaymentsClient, creditsAuthMsg } from 'redeemkit'
 * const client = createPaymentsClient({ baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' })
 * const ask = (wallet: string) =>
 *   creditsAuthMsg(
 *     client,
 *     {
 *       subtotal: { cents: 1000 },
 *       transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
 *     },
 *     { wallet },
 *   )
 * ```
 */
export async function creditsAuthMsg(
  client: PaymentsClient,
  body: creditsAuthMsg.Body,
  options: creditsAuthMsg.Options = {},
): Promise<CreditsAuthMsgResponse> {
  const record = parseRecord(
    creditsAuthMsgBody,
    { merchantId: client.merchantId, ...body },
    { record: 'The body of creditsAuthMsg' },
  )
  return askCreditsAuthMsg(client, record, options)
}

export declare namespace creditsAuthMsg {
  type Body = Omit<CreditsAuthMsgBody, 'merchantId'> & { merchantId?: string }
  type Options = CallOptions
  type ReturnType = CreditsAuthMsgResponse
  type ErrorType = InvalidRecordError | askCreditsAuthMsg.ErrorType
}
