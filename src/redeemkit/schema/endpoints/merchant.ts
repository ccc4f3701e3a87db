import * as z from 'zod/mini'
import { jobStatus } from '../jobStatus.ts'
import { chargebackResponseBody } from '../merchantOperations.ts'
import { burnBody, burnResponse, mintBody, mintResponse } from '../mint.ts'
import { payment } from '../payment.ts'
import { programBody } from '../program.ts'
import { refund, refundBody, refundResponse } from '../refund.ts'
import { emptyAnswer } from '../values.ts'
import type { Endpoint } from './endpoint.ts'

const headers = { required: ['authorization'], optional: [] } as const

export const getPayment = {
  id: 'getPayment',
  method: 'GET',
  path: '/api/merchant/payments/{paymentId}',
  headers,
  answer: payment as typeof payment,
  errors: [404],
  ofTheDocuments: true,
  summary: 'A payment',
} as const satisfies Endpoint

export const mintCredits = {
  id: 'mintCredits',
  method: 'POST',
  path: '/api/merchant/credits/mint',
  headers,
  body: mintBody as typeof mintBody,
  answer: mintResponse as typeof mintResponse,
  errors: [409],
  ofTheDocuments: true,
  summary: 'Starts a job that gives credits to a wallet',
} as const satisfies Endpoint

export const burnCredits = {
  id: 'burnCredits',
  method: 'POST',
  path: '/api/merchant/credits/burn',
  headers,
  body: burnBody as typeof burnBody,
  answer: burnResponse as typeof burnResponse,
  errors: [409, 412],
  ofTheDocuments: true,
  summary: 'Starts a job that takes credits out of a wallet',
} as const satisfies Endpoint

export const getJobStatus = {
  id: 'getJobStatus',
  method: 'GET',
  path: '/api/merchant/credits/status/{jobId}',
  headers,
  answer: jobStatus as typeof jobStatus,
  errors: [404],
  ofTheDocuments: true,
  summary: 'How a mint or burn job stands',
} as const satisfies Endpoint

export const requestWhitelist = {
  id: 'requestWhitelist',
  method: 'POST',
  path: '/api/merchant/program',
  headers,
  body: programBody as typeof programBody,
  answer: emptyAnswer as typeof emptyAnswer,
  ofTheDocuments: true,
  summary: 'Asks for a place of a contract on the whitelist',
} as const satisfies Endpoint

export const respondToChargeback = {
  id: 'respondToChargeback',
  method: 'POST',
  path: '/api/merchant/chargebacks/{paymentId}/respond',
  headers,
  body: chargebackResponseBody as typeof chargebackResponseBody,
  answer: emptyAnswer as typeof emptyAnswer,
  errors: [404, 409],
  ofTheDocuments: true,
  summary: 'Answers a chargeback in words or with a file',
} as const satisfies Endpoint

export const refundPayment = {
  id: 'refundPayment',
  method: 'POST',
  path: '/api/merchant/payments/{paymentId}/refund',
  headers,
  body: refundBody as typeof refundBody,
  answer: refundResponse as typeof refundResponse,
  errors: [404, 409, 412],
  ofTheDocuments: false,
  summary: 'Gives a payment back, whole or in part',
} as const satisfies Endpoint

export const getRefunds = {
  id: 'getRefunds',
  method: 'GET',
  path: '/api/merchant/payments/{paymentId}/refunds',
  headers,
  answer: /* @__PURE__ */ z.array(refund),
  errors: [404],
  ofTheDocuments: false,
  summary: 'The refunds of a payment',
} as const satisfies Endpoint

export const merchantEndpoints = [
  getPayment,
  mintCredits,
  burnCredits,
  getJobStatus,
  requestWhitelist,
  respondToChargeback,
  refundPayment,
  getRefunds,
] as const
