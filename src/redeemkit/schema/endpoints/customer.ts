import * as z from 'zod/mini'
import { balancesResponse } from '../balances.ts'
import { savedCard } from '../checkout.ts'
import { purchasesQuery, purchasesResponse } from '../purchase.ts'
import type { Endpoint } from './endpoint.ts'

export const getBalances = {
  id: 'getBalances',
  method: 'GET',
  path: '/api/customer/balances/{merchantIdOrCreditSeed}',
  headers: { required: ['wallet', 'blockchain'], optional: ['sessionKey', 'signedMessage'] },
  answer: balancesResponse as typeof balancesResponse,
  errors: [404],
  ofTheDocuments: true,
  summary: 'Credits and USDC of a wallet',
} as const satisfies Endpoint

export const getSavedCards = {
  id: 'getSavedCards',
  method: 'GET',
  path: '/api/customer/cards/{merchantId}',
  headers: { required: ['sessionKey'], optional: ['wallet', 'blockchain'] },
  answer: /* @__PURE__ */ z.array(savedCard),
  errors: [404],
  ofTheDocuments: false,
  summary: "The customer's cards on file",
} as const satisfies Endpoint

export const getPurchases = {
  id: 'getPurchases',
  method: 'GET',
  path: '/api/customer/purchases/{merchantId}',
  headers: { required: ['sessionKey'], optional: ['wallet', 'blockchain'] },
  query: purchasesQuery as typeof purchasesQuery,
  answer: purchasesResponse as typeof purchasesResponse,
  errors: [404],
  ofTheDocuments: false,
  summary: 'What the customer bought, the newest first',
} as const satisfies Endpoint

export const customerEndpoints = [getBalances, getSavedCards, getPurchases] as const
