import * as z from 'zod/mini'
import {
  burnBody,
  burnResponse,
  chargebackResponseBody,
  jobStatus,
  mintBody,
  mintResponse,
  programBody,
  refund,
  refundBody,
  refundResponse,
  usdcWithdrawBody,
  usdcWithdrawResponse,
} from '../merchantOperations.ts'
import { payment } from '../payment.ts'
import { emptyAnswer } from '../values.ts'
import {
  ibanBody,
  ibanResponse,
  kybBody,
  kybResponse,
  kycValidateBody,
  kycValidateResponse,
} from '../withdrawal.ts'
import type { Endpoint } from './routes.ts'
import * as routes from './routes.ts'

const headers = { required: ['authorization'], optional: [] } as const

export const getPayment = {
  id: 'getPayment',
  ...routes.getPayment,
  headers,
  answer: payment as typeof payment,
  errors: [404],
  ofTheDocuments: true,
  summary: 'Returns a payment',
} as const satisfies Endpoint

export const mintCredits = {
  id: 'mintCredits',
  ...routes.mintCredits,
  headers,
  body: mintBody as typeof mintBody,
  answer: mintResponse as typeof mintResponse,
  errors: [409],
  ofTheDocuments: true,
  summary: 'Starts a job that mints credits to a wallet',
} as const satisfies Endpoint

export const burnCredits = {
  id: 'burnCredits',
  ...routes.burnCredits,
  headers,
  body: burnBody as typeof burnBody,
  answer: burnResponse as typeof burnResponse,
  errors: [409, 412],
  ofTheDocuments: true,
  summary: "Starts a job that burns a wallet's credits",
} as const satisfies Endpoint

export const getJobStatus = {
  id: 'getJobStatus',
  ...routes.getJobStatus,
  headers,
  answer: jobStatus as typeof jobStatus,
  errors: [404],
  ofTheDocuments: true,
  summary: 'Returns the status of a mint or burn job',
} as const satisfies Endpoint

export const requestWhitelist = {
  id: 'requestWhitelist',
  ...routes.requestWhitelist,
  headers,
  body: programBody as typeof programBody,
  answer: emptyAnswer as typeof emptyAnswer,
  ofTheDocuments: true,
  summary: 'Requests that a contract is whitelisted',
} as const satisfies Endpoint

export const respondToChargeback = {
  id: 'respondToChargeback',
  ...routes.respondToChargeback,
  headers,
  body: chargebackResponseBody as typeof chargebackResponseBody,
  answer: emptyAnswer as typeof emptyAnswer,
  errors: [404, 409],
  ofTheDocuments: true,
  summary: 'Responds to a chargeback with text or a file',
} as const satisfies Endpoint

export const refundPayment = {
  id: 'refundPayment',
  ...routes.refundPayment,
  headers,
  body: refundBody as typeof refundBody,
  answer: refundResponse as typeof refundResponse,
  errors: [404, 409, 412],
  ofTheDocuments: false,
  summary: 'Refunds a payment in whole or in part',
} as const satisfies Endpoint

export const getRefunds = {
  id: 'getRefunds',
  ...routes.getRefunds,
  headers,
  answer: /* @__PURE__ */ z.array(refund),
  errors: [404],
  ofTheDocuments: false,
  summary: 'Lists the refunds of a payment',
} as const satisfies Endpoint

export const withdrawUsdc = {
  id: 'withdrawUsdc',
  ...routes.withdrawUsdc,
  headers,
  body: usdcWithdrawBody as typeof usdcWithdrawBody,
  answer: usdcWithdrawResponse as typeof usdcWithdrawResponse,
  errors: [412],
  ofTheDocuments: true,
  summary: "Withdraws USDC from the merchant's wallet at the service",
} as const satisfies Endpoint

export const validateKyc = {
  id: 'validateKyc',
  ...routes.validateKyc,
  headers: { required: ['userId', 'authorization'], optional: [] },
  body: kycValidateBody as typeof kycValidateBody,
  answer: kycValidateResponse as typeof kycValidateResponse,
  errors: [404],
  ofTheDocuments: true,
  summary: "Compares a person's data with the KYC record; a 404 means that there is no record",
} as const satisfies Endpoint

export const createIban = {
  id: 'createIban',
  ...routes.createIban,
  headers: {
    required: ['userId', 'authorization', 'wallet', 'blockchain', 'merchantId', 'sessionKey'],
    optional: [],
  },
  body: ibanBody as typeof ibanBody,
  answer: ibanResponse as typeof ibanResponse,
  errors: [423],
  ofTheDocuments: true,
  summary: 'Saves a bank account and returns its token',
} as const satisfies Endpoint

export const registerBusiness = {
  id: 'registerBusiness',
  ...routes.registerBusiness,
  headers: { required: ['wallet', 'blockchain', 'userId', 'authorization', 'sessionKey'], optional: [] },
  body: kybBody as typeof kybBody,
  answer: kybResponse as typeof kybResponse,
  errors: [423, 451],
  ofTheDocuments: true,
  summary: 'Verifies a business; a 451 sends the user to a verification link first',
} as const satisfies Endpoint
