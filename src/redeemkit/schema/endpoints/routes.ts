import type * as z from 'zod/mini'
import type { HeaderNames } from '../../core/headerNames.ts'

/** Each endpoint (PROTOCOL.md 2.1) has its own constant, so that a page that uses one bundles only one path and no schema. */

export const getAuthMessage = { method: 'GET', path: '/api/auth' } as const
export const verifyAuth = { method: 'GET', path: '/api/auth/verify' } as const
export const getSessionKey = { method: 'GET', path: '/api/auth/session-key' } as const
export const creditsAuthMsg = { method: 'POST', path: '/api/redeem/evm/creditsAuthMsg' } as const
export const sendGaslessTx = { method: 'POST', path: '/api/redeem/evm/sendGaslessTx' } as const
export const getBalances = { method: 'GET', path: '/api/customer/balances/{merchantIdOrCreditSeed}' } as const
export const getSavedCards = { method: 'GET', path: '/api/customer/cards/{merchantId}' } as const
export const getPurchases = { method: 'GET', path: '/api/customer/purchases/{merchantId}' } as const
export const getPlans = { method: 'GET', path: '/api/subscription/{merchantId}/plans' } as const
export const getCustomerSubscriptions = {
  method: 'GET',
  path: '/api/subscription/{merchantId}/subscribers',
} as const
export const purchaseSubscription = {
  method: 'POST',
  path: '/api/subscription/{merchantId}/subscribers/token',
} as const
export const getPlanSubscribers = {
  method: 'GET',
  path: '/api/merchant/subscription/plans/{planId}/subscribers',
} as const
export const getContractAddress = { method: 'GET', path: '/api/utils/contract-address' } as const
export const createCheckoutJwt = { method: 'POST', path: '/api/checkout/jwt-token' } as const
export const tokenizeCard = { method: 'POST', path: '/api/tokenize' } as const
export const cardCheckout = { method: 'POST', path: '/api/checkout/card/{merchantId}' } as const
export const wireTokenCheckout = { method: 'POST', path: '/api/checkout/wire/token' } as const
export const pixCheckout = { method: 'POST', path: '/api/checkout/pix' } as const
export const mobileAppCheckout = { method: 'POST', path: '/api/checkout/mobileapp/{merchantId}' } as const
export const voidPayment = { method: 'POST', path: '/api/checkout/void' } as const
export const merchantInitiatedTransaction = {
  method: 'POST',
  path: '/api/checkout/merchant-initiated-transaction',
} as const
export const usdcAuthorization = { method: 'POST', path: '/api/checkout/evm/usdc-authorization' } as const
export const getTotals = { method: 'POST', path: '/api/checkout/totals/{merchantId}' } as const
export const zeroAuthorization = {
  method: 'POST',
  path: '/api/checkout/zero-authorization/{merchantId}',
} as const
export const savedCardCheckout = { method: 'POST', path: '/api/checkout/token/{merchantId}' } as const
export const cardOnFileCheckout = { method: 'POST', path: '/api/checkout/card-on-file' } as const
export const getPayment = { method: 'GET', path: '/api/merchant/payments/{paymentId}' } as const
export const mintCredits = { method: 'POST', path: '/api/merchant/credits/mint' } as const
export const burnCredits = { method: 'POST', path: '/api/merchant/credits/burn' } as const
export const getJobStatus = { method: 'GET', path: '/api/merchant/credits/status/{jobId}' } as const
export const requestWhitelist = { method: 'POST', path: '/api/merchant/program' } as const
export const respondToChargeback = {
  method: 'POST',
  path: '/api/merchant/chargebacks/{paymentId}/respond',
} as const
export const refundPayment = { method: 'POST', path: '/api/merchant/payments/{paymentId}/refund' } as const
export const getRefunds = { method: 'GET', path: '/api/merchant/payments/{paymentId}/refunds' } as const
export const withdrawUsdc = { method: 'POST', path: '/api/seller/usdc-withdraw' } as const
export const validateKyc = { method: 'POST', path: '/api/withdraw/kyc/validate' } as const
export const createIban = { method: 'POST', path: '/api/withdraw/iban' } as const
export const registerBusiness = { method: 'POST', path: '/api/withdraw/kyb' } as const

/** A header by its key in `headerNames`, or `authorization`, which has no prefix. */
export type EndpointHeader = keyof HeaderNames | 'authorization'

/** An endpoint of the protocol (PROTOCOL.md 2.1). */
export type Endpoint = {
  /** Unique id, which is also the name of the client's method. */
  id: string
  method: 'GET' | 'POST'
  /** The path, with parameters in braces. */
  path: `/api/${string}`
  headers: {
    required: readonly EndpointHeader[]
    optional: readonly EndpointHeader[]
    /** Groups of headers. A request must also have all headers of at least one group. */
    oneOf?: readonly (readonly EndpointHeader[])[]
  }
  body?: z.core.$ZodType
  query?: z.core.$ZodType
  /** Schema of the body of a 200 response. */
  answer: z.core.$ZodType
  /** Error statuses of this endpoint, in addition to those that every endpoint has. */
  errors?: readonly (402 | 404 | 409 | 410 | 412 | 423 | 451)[]
  /** `false` for the endpoints of PROTOCOL.md 2.11. */
  ofTheDocuments: boolean
  summary: string
}
