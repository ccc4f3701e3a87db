import type { CreditsAuthMsgBody, CreditsAuthMsgResponse } from '../schema/creditsAuthMsg.ts'
import { lightCreditsAuthMsgAnswer } from '../schema/light/records.ts'
import type { CallOptions, PaymentsClient } from './paymentsClient.ts'
import type { send } from './send.ts'

/** Asks for a credit permit with a body that was checked field by field: `POST /api/redeem/evm/creditsAuthMsg` (PROTOCOL.md 2.2). */
export function askCreditsAuthMsg(
  client: PaymentsClient,
  body: CreditsAuthMsgBody,
  options: CallOptions,
): Promise<CreditsAuthMsgResponse> {
  return client.request({
    ...options,
    method: 'POST',
    path: '/api/redeem/evm/creditsAuthMsg',
    body,
    answer: lightCreditsAuthMsgAnswer,
    device: true,
    // Without both the service draws another nonce each time.
    repeatable: body.salt !== undefined && (body.orderKey ?? body.purchaseId) !== undefined,
  })
}

export declare namespace askCreditsAuthMsg {
  type ErrorType = send.ErrorType
}
