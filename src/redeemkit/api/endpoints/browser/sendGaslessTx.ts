import type { InvalidRecordError } from '../../../core/errors/inputErrors.ts'
import { parseRecord } from '../../../schema/parseRecord.ts'
import { type SendGaslessTxResponse, sendGaslessTxRequest } from '../../../schema/sendGaslessTx.ts'
import type { SendGaslessTxBody } from '../../../schema/sendGaslessTxBody.ts'
import type { OutcomeUnknownError } from '../../errors.ts'
import type { CallOptions, PaymentsClient } from '../../paymentsClient.ts'
import { submitGaslessTx } from '../../submitGaslessTx.ts'

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
  return submitGaslessTx(client, record, options)
}

export declare namespace sendGaslessTx {
  type Body = Omit<SendGaslessTxBody, 'merchantId'> & { merchantId?: string }
  type Options = CallOptions
  type ReturnType = SendGaslessTxResponse
  type ErrorType = InvalidRecordError | submitGaslessTx.ErrorType
}
