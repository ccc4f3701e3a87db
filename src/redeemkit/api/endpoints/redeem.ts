import type { InvalidRecordError } from '../../core/errors/inputErrors.ts'
import { type ContractAddressResponse, contractAddressResponse } from '../../schema/contractAddress.ts'
import * as routes from '../../schema/endpoints/routes.ts'
import { loose } from '../../schema/loose.ts'
import { parseRecord } from '../../schema/parseRecord.ts'
import {
  type CreditsAuthMsgBody,
  type CreditsAuthMsgResponse,
  creditsAuthMsgBody,
  type SendGaslessTxResponse,
  sendGaslessTxRequest,
} from '../../schema/redeem.ts'
import type { SendGaslessTxBody } from '../../schema/sendGaslessTxBody.ts'
import {
  type UsdcAuthorizationBody,
  type UsdcAuthorizationMessage,
  usdcAuthorizationBody,
  usdcAuthorizationMessage as usdcAuthorizationMessageRecord,
} from '../../schema/usdcAuthorization.ts'
import { checkBlockchain } from '../clientOptions.ts'
import type { OutcomeUnknownError } from '../errors.ts'
import { askCreditsAuthMsg, submitGaslessTx } from '../gaslessCalls.ts'
import type { CallOptions, PaymentsClient } from '../paymentsClient.ts'
import type { send } from '../send.ts'

/**
 * Gets the credit permit of a redeem: `POST /api/redeem/evm/creditsAuthMsg`. Check it before the wallet signs it, as `prepareRedeem`
 * does.
 *
 * Retried only with `salt` and `orderKey` (or `purchaseId`), because only then does the service return the same nonce again.
 *
 * @param body `merchantId` defaults to the client's
 * @throws {@link InvalidRecordError} for an invalid body; nothing is sent
 * @see PROTOCOL.md 2.2
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
  type ErrorType = InvalidRecordError | send.ErrorType
}

/**
 * Submits a signed redeem: `POST /api/redeem/evm/sendGaslessTx`.
 *
 * After the request was sent, every failure is an `OutcomeUnknownError`, even a refusal, because the permit may still execute. Look
 * up the nonce on chain (`findRedeem`), or send the same request again. Retried only after a 429 and `INSUFFICIENT_CREDITS`.
 *
 * @param body `merchantId` defaults to the client's
 * @returns the hash of the transaction, broadcast and not yet mined
 * @throws {@link InvalidRecordError} for an invalid body; nothing is sent
 * @throws {@link OutcomeUnknownError} for a failure after the request was sent; RequestAbortedError with remedy `lookUp` for an abort
 * after that. With any other error, such as SessionKeyError or an abort with remedy `stop`, nothing was sent
 * @see PROTOCOL.md 2.2 and 7
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
  type ErrorType = InvalidRecordError | OutcomeUnknownError | send.ErrorType
}

const usdcAuthorizationMessageAnswer = /* @__PURE__ */ loose(usdcAuthorizationMessageRecord)

/**
 * Gets the USDC authorization of a checkout: `POST /api/checkout/evm/usdc-authorization`. Check it with
 * `parseUsdcAuthorizationMessage` of `redeemkit/evm` before the wallet signs it.
 *
 * @throws {@link InvalidRecordError} for an invalid body; nothing is sent
 * @see PROTOCOL.md 2.3
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
    ...routes.usdcAuthorization,
    body: parseRecord(usdcAuthorizationBody, body, { record: 'The body of usdc-authorization' }),
    answer: usdcAuthorizationMessageAnswer,
    repeatable: true,
  })
}

export declare namespace usdcAuthorizationMessage {
  type Options = CallOptions
  type ReturnType = UsdcAuthorizationMessage
  type ErrorType = InvalidRecordError | send.ErrorType
}

const getContractAddressAnswer = /* @__PURE__ */ loose(contractAddressResponse)

/**
 * Gets the address of the service's credits contract: `GET /api/utils/contract-address`.
 *
 * For discovery only: the response proves nothing. Pin the contract's address from your own configuration.
 *
 * @see PROTOCOL.md 2.5
 * @example
 * ```ts
 * import { createPaymentsClient, getContractAddress } from 'redeemkit'
 * const client = createPaymentsClient({ baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' })
 * const ask = () => getContractAddress(client)
 * ```
 */
export async function getContractAddress(
  client: PaymentsClient,
  options: getContractAddress.Options = {},
): Promise<ContractAddressResponse> {
  const { blockchain = client.blockchain, ...rest } = options
  checkBlockchain(blockchain)
  return client.request({
    ...rest,
    method: routes.getContractAddress.method,
    path: `${routes.getContractAddress.path}?blockchain=${blockchain}`,
    answer: getContractAddressAnswer,
    headers: 'none',
    repeatable: true,
  })
}

export declare namespace getContractAddress {
  type Options = Omit<CallOptions, 'wallet'>
  type ReturnType = ContractAddressResponse
  type ErrorType = send.ErrorType
}
