import { BaseError } from '../core/errors/baseError.ts'
import * as routes from '../schema/endpoints/routes.ts'
import { lightCreditsAuthMsgAnswer, lightSendGaslessTxAnswer } from '../schema/light.ts'
import type {
  CreditsAuthMsgBody,
  CreditsAuthMsgResponse,
  SendGaslessTxRequest,
  SendGaslessTxResponse,
} from '../schema/redeem.ts'
import { OutcomeUnknownError, RequestAbortedError } from './errors.ts'
import type { CallOptions, PaymentsClient } from './paymentsClient.ts'

/** The caller must have validated the body (PROTOCOL.md 2.2). */
export function askCreditsAuthMsg(
  client: PaymentsClient,
  body: CreditsAuthMsgBody,
  options: CallOptions,
): Promise<CreditsAuthMsgResponse> {
  return client.request({
    ...options,
    ...routes.creditsAuthMsg,
    body,
    answer: lightCreditsAuthMsgAnswer,
    device: true,
    // without both, each response has a new nonce
    repeatable: body.salt !== undefined && (body.orderKey ?? body.purchaseId) !== undefined,
  })
}

/** The caller must have validated the body (PROTOCOL.md 2.2). */
export async function submitGaslessTx(
  client: PaymentsClient,
  body: SendGaslessTxRequest,
  options: CallOptions,
): Promise<SendGaslessTxResponse> {
  let isSent = false
  try {
    return await client.request({
      ...options,
      ...routes.sendGaslessTx,
      body,
      secrets: signaturesOf(body.signedMessages),
      answer: lightSendGaslessTxAnswer,
      device: true,
      repeatable: false,
      onSend: () => {
        isSent = true
      },
    })
  } catch (error) {
    if (!isSent) throw error
    throw afterSubmit(error, body)
  }
}

/** The error's remedy is `lookUp`, because the permit may still execute. */
export function afterSubmit(
  error: unknown,
  permit: Pick<OutcomeUnknownError, 'nonce' | 'validBefore'>,
): RequestAbortedError | OutcomeUnknownError {
  if (error instanceof RequestAbortedError) return new RequestAbortedError({ sent: true })
  // One of the caller's functions threw, such as the clock or `onStep`.
  const cause =
    error instanceof BaseError
      ? error
      : new BaseError('A function that you passed threw an error.', { cause: error })
  return new OutcomeUnknownError(cause, permit)
}

/** A service's error may repeat signatures. The factory of an ERC-6492 wrapper is not secret. */
function signaturesOf(signed: SendGaslessTxRequest['signedMessages']): string[] {
  const { permitCredits, customerUsdcAuthData: v1, customerUsdcAuthDataV2: v2 } = signed
  return [permitCredits, v1?.r, v1?.s, v2?.signature].flatMap((hex) =>
    hex !== undefined && hex.length >= 66 ? [hex.slice(/(?:6492){16}$/.test(hex) ? 66 : 2)] : [],
  )
}
