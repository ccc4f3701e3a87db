import { endpoints } from 'redeemkit/schema'
import { describe, expect, test } from 'vitest'
import { routes } from '../../src/sandbox/service/routes.ts'

describe('the table of calls', () => {
  /** What the local service does not answer yet: a route that comes takes its line away. */
  const notYet = new Set([
    'POST /api/checkout/jwt-token',
    'POST /api/tokenize',
    'POST /api/checkout/card/{merchantId}',
    'POST /api/checkout/wire/token',
    'POST /api/checkout/pix',
    'POST /api/checkout/mobileapp/{merchantId}',
    'POST /api/checkout/void',
    'POST /api/checkout/merchant-initiated-transaction',
    'POST /api/checkout/totals/{merchantId}',
    'POST /api/checkout/zero-authorization/{merchantId}',
    'POST /api/checkout/token/{merchantId}',
    'GET /api/customer/cards/{merchantId}',
    'GET /api/customer/purchases/{merchantId}',
    'GET /api/subscription/{merchantId}/plans',
    'GET /api/subscription/{merchantId}/subscribers',
    'POST /api/subscription/{merchantId}/subscribers/token',
    'GET /api/merchant/subscription/plans/{planId}/subscribers',
    'GET /api/merchant/payments/{paymentId}',
    'POST /api/merchant/credits/burn',
    'POST /api/merchant/chargebacks/{paymentId}/respond',
    'POST /api/merchant/payments/{paymentId}/refund',
    'GET /api/merchant/payments/{paymentId}/refunds',
    'POST /api/seller/usdc-withdraw',
    'POST /api/withdraw/kyc/validate',
    'POST /api/withdraw/iban',
    'POST /api/withdraw/kyb',
  ])
  const described = endpoints.map(({ method, path }) => `${method} ${path}`)
  const answered = routes
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    .filter((call) => call.includes(' /api/'))

  test('has every route of the local service, by method and path', () => {
    expect(answered.filter((call) => !(described as string[]).includes(call))).toEqual([])
  })

  test('and the service all of it, but for what it does not answer yet', () => {
    expect(described.filter((call) => !answered.includes(call)).sort()).toEqual([...notYet].sort())
  })
})
