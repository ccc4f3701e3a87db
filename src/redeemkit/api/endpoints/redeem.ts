import type { InvalidRecordError } from '../../core/errors/inputErrors.ts'
import { type ContractAddressResponse, contractAddressResponse } from '../../schema/contractAddress.ts'
import {
  type CreditsAuthMsgBody,
  type CreditsAuthMsgResponse,
  creditsAuthMsgBody,
} from '../../schema/creditsAuthMsg.ts'
import * as routes from '../../schema/endpoints/routes.ts'
import { loose } from '../../schema/loose.ts'
import { parseRecord } from '../../schema/parseRecord.ts'
import { type SendGaslessTxResponse, sendGaslessTxRequest } from '../../schema/sendGaslessTx.ts'
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

const usdcAuthorizationMessageAnswer = /* @__PURE__ */ loose(usdcAuthorizationMessageRecord)

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
    ...routes.usdcAuthorization,
    body: parseRecord(usdcAuthorizationBody, body, { record: 'The body of usdc-authorization' }),
    answer: usdcAuthorizationMessageAnswer,
    // It makes a text and moves nothing.
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
 * Asks where the service's credits contract is: `GET /api/utils/contract-address`.
 *
 * Discovery only: it never makes an address trusted. What a redeem trusts is pinned by the caller.
 *
 * Source: PROTOCOL.md 2.5.
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
