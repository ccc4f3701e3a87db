import { BaseError } from '../../../core/errors/baseError.ts'
import type { InvalidRecordError } from '../../../core/errors/inputErrors.ts'
import type { WireRemedy } from '../../../core/errors/wireErrors.ts'
import { loose } from '../../../schema/loose.ts'
import { parseRecord } from '../../../schema/parseRecord.ts'
import {
  type SendGaslessTxResponse,
  sendGaslessTxRequest,
  sendGaslessTxResponse,
} from '../../../schema/sendGaslessTx.ts'
import type { SendGaslessTxBody } from '../../../schema/sendGaslessTxBody.ts'
import type { Hex } from '../../../schema/values.ts'
import type { CallOptions, PaymentsClient } from '../../paymentsClient.ts'
import type { send } from '../../send.ts'

const answer = loose(sendGaslessTxResponse)

/**
 * Submits a signed redeem: `POST /api/redeem/evm/sendGaslessTx`.
 *
 * Never sent again by itself once nobody knows what became of it: after a 5xx, a timeout, a broken connection or an answer
 * that makes no sense it throws `OutcomeUnknownError`. Look up the nonce's state on chain (`findRedeem`), then decide.
 *
 * @param body without `merchantId`, which is the client's
 * @returns the hash of the transaction, broadcast and not yet mined
 * @throws {@link InvalidRecordError} for a body that is not what it must be; nothing is sent then
 * @throws {@link OutcomeUnknownError} when the redeem may or may not have been taken
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
    })
  } catch (error) {
    if (error instanceof BaseError && 'remedy' in error && error.remedy === 'tryAgain')
      throw new OutcomeUnknownError(error, { nonce: record.nonce })
    throw error
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

/** A submit of which nobody knows whether it was taken. `cause` says why. */
export class OutcomeUnknownError extends BaseError {
  override readonly name = 'OutcomeUnknownError'
  readonly remedy = 'lookUp' satisfies WireRemedy
  /** The permit's nonce: by it the redeem is found on chain. */
  readonly nonce: Hex

  constructor(cause: BaseError, options: { nonce: Hex }) {
    super(`It is not known whether the redeem was taken. ${cause.shortMessage}`, {
      cause,
      fix: 'Look up the state of its nonce on chain (findRedeem, waitForRedeem) before you send it again.',
      docs: 'PROTOCOL.md 7',
    })
    this.nonce = options.nonce
  }
}
