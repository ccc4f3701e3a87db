import { expect, test } from 'vitest'
import { merchantOf } from './redeemOptions.ts'

const found = { merchantId: 'their-shop', creditSeed: 'their-seed' }

test.each([
  ['nothing known: as a sandbox is by itself', {}, {}, 'sandbox-shop', 'sandbox-shop'],
  ['the merchant of the sandbox', {}, found, 'their-shop', 'their-seed'],
  ['another one that was named', { merchantId: 'other' }, found, 'other', 'other'],
  ['another balance that was named', { creditSeed: 'other' }, found, 'their-shop', 'other'],
])('%s', (_, options, sandbox, merchantId, creditSeed) => {
  expect(merchantOf(options, sandbox)).toEqual({ merchantId, creditSeed })
})
