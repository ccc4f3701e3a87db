import { BaseError } from '../../../core/errors/baseError.ts'
import type { InvalidRecordError } from '../../../core/errors/inputErrors.ts'
import { loose } from '../../../schema/loose.ts'
import { parseRecord } from '../../../schema/parseRecord.ts'
import {
  type SendGaslessTxResponse,
  sendGaslessTxRequest,
  sendGaslessTxResponse,
} from '../../../schema/sendGaslessTx.ts'
import type { SendGaslessTxBody } from '../../../schema/sendGaslessTxBody.ts'
import { OutcomeUnknownError, RequestAbortedError } from '../../errors.ts'
import type { CallOptions, PaymentsClient } from '../../paymentsClient.ts'
import type { send } from '../../send.ts'

const answer = loose(sendGaslessTxResponse)

/**
 * Submits a signed redeem: `POST /api/redeem/evm/sendGaslessTx`.
 *
 * From the moment it has left, every failure is an `OutcomeUnknownError`, a refusal included: who answers cannot vouch for
 * what became of the permit. Never sent again by itself then, but after a 429 and `INSUFFICIENT_CREDITS`. Look up the
 * nonce's state on chain (`findRedeem`), or send the same again.
 *
 * @param body without `merchantId`, which is the client's
 * @returns the hash of the transaction, broadcast and not yet mined
 * @throws {@link InvalidRecordError} for a body that is not what it must be; nothing is sent then
 * @throws {@link OutcomeUnknownError} for every failure after it has left; RequestAbortedError with remedy `lookUp` for an
 * abort after that. What is thrown before, a SessionKeyError or an abort with remedy `stop`, sent nothing.
 * Source: PROTOCOL.md 2.2 and 7.
 * @example
 * ```ts
 * import { createPaymentsClient, sendGaslessTx } from 'redeemkit'
 * const client = createPaymentsClient({ baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' })
 * const submit = (body: sendGaslessTx.Body, wallet: string) => sendGaslessTx(client, body, { wallet })
 * ```
 */
export async function sendGaslessTx(
  client: PaymentsClient,
  body: sendGaslessTx.Body,
  options: sendGaslessTx.Options = {},
): Promise<SendGaslessTxResponse> {
  const record = parseRecord(
    sendGaslessTxRequest,
    { merchantId: client.merchantId, ...body },
    { record: 'The body of sendGaslessTx' },
  )
  let left = false
  try {
    return await client.request({
      ...options,
      method: 'POST',
      path: '/api/redeem/evm/sendGaslessTx',
      body: record,
      secrets: signaturesOf(record.signedMessages),
      answer,
      device: true,
      repeatable: false,
      onSend: () => {
        left = true
      },
    })
  } catch (error) {
    if (!left) throw error
    if (error instanceof RequestAbortedError) throw new RequestAbortedError({ sent: true })
    // A clock, a pause or randomness of the caller's.
    const cause =
      error instanceof BaseError ? error : new BaseError('A function of the caller failed.', { cause: error })
    throw new OutcomeUnknownError(cause, record)
  }
}

export declare namespace sendGaslessTx {
  type Body = Omit<SendGaslessTxBody, 'merchantId'> & { merchantId?: string }
  type Options = CallOptions
  type ReturnType = SendGaslessTxResponse
  type ErrorType = InvalidRecordError | OutcomeUnknownError | send.ErrorType
}

/** The digits of each signature, for services that repeat what they were sent. */
function signaturesOf(signed: SendGaslessTxBody['signedMessages']): string[] {
  const { permitCredits, customerUsdcAuthData: v1, customerUsdcAuthDataV2: v2 } = signed
  return [permitCredits, v1?.r, v1?.s, v2?.signature].flatMap((hex) =>
    hex !== undefined && hex.length >= 66 ? [hex.slice(2)] : [],
  )
}
