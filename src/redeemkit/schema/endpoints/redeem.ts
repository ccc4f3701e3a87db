import { creditsAuthMsgBody, creditsAuthMsgResponse } from '../creditsAuthMsg.ts'
import { sendGaslessTxResponse } from '../sendGaslessTx.ts'
import { sendGaslessTxBody } from '../sendGaslessTxBody.ts'
import type { Endpoint } from './endpoint.ts'

export const creditsAuthMsg = {
  id: 'creditsAuthMsg',
  method: 'POST',
  path: '/api/redeem/evm/creditsAuthMsg',
  headers: { required: ['wallet', 'blockchain'], optional: ['sessionKey', 'signedMessage', 'deviceId'] },
  body: creditsAuthMsgBody as typeof creditsAuthMsgBody,
  answer: creditsAuthMsgResponse as typeof creditsAuthMsgResponse,
  errors: [404, 409, 412, 423],
  ofTheDocuments: true,
  summary: 'What the customer has to sign for a redeem',
} as const satisfies Endpoint

export const sendGaslessTx = {
  id: 'sendGaslessTx',
  method: 'POST',
  path: '/api/redeem/evm/sendGaslessTx',
  headers: { required: ['wallet', 'blockchain'], optional: ['sessionKey', 'signedMessage', 'deviceId'] },
  body: sendGaslessTxBody as typeof sendGaslessTxBody,
  answer: sendGaslessTxResponse as typeof sendGaslessTxResponse,
  errors: [404, 409, 412, 423],
  ofTheDocuments: true,
  summary: 'Submits a signed redeem',
} as const satisfies Endpoint

export const redeemEndpoints = [creditsAuthMsg, sendGaslessTx] as const
