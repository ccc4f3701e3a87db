import { usdcWithdrawBody, usdcWithdrawResponse } from '../merchantOperations.ts'
import type { Endpoint } from './endpoint.ts'

export const withdrawUsdc = {
  id: 'withdrawUsdc',
  method: 'POST',
  path: '/api/seller/usdc-withdraw',
  headers: { required: ['authorization'], optional: [] },
  body: usdcWithdrawBody as typeof usdcWithdrawBody,
  answer: usdcWithdrawResponse as typeof usdcWithdrawResponse,
  errors: [412],
  ofTheDocuments: true,
  summary: "Pays USDC out of the merchant's wallet at the service",
} as const satisfies Endpoint

export const sellerEndpoints = [withdrawUsdc] as const
