import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { InvalidRecordError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { creditsAuthMsgBody } from '../../../redeemkit/schema/creditsAuthMsg.ts'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { ServiceProblem } from '../http/problem.ts'
import { type ResolvedIntent, resolveIntent } from './resolveIntent.ts'

const usdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const shop = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
// The only fields of a chain that are read.
const chain = {
  blockchain: 'base',
  creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  usdc,
  destinations: new Map([[421614, {}]]),
} as unknown as EvmChain
const toShop = { type: 'token', destination: shop } as const

/** The intent of a body, or its error code. */
function outcome(body: object): ResolvedIntent | string {
  try {
    const record = parseRecord(creditsAuthMsgBody, { merchantId: 'shop', transactionData: toShop, ...body })
    return resolveIntent(chain, record)
  } catch (error) {
    if (error instanceof InvalidRecordError) return 'INVALID_REQUEST'
    if (error instanceof ServiceProblem && error.status === 400 && error.issues?.length) return error.code
    throw error
  }
}

test('the example of PROTOCOL.md 6.1', () => {
  expect(outcome({ subtotal: { cents: 1000 }, usdcAmount: { cents: 400 } })).toMatchObject({
    shape: 'token',
    amount: 10_000_000n,
    usdcAmount: 4_000_000n,
  })
})

test('equal amounts in cents, dollars and USDC have equal intents', () => {
  const subtotals = [
    { cents: 1025 },
    { cents: 1025, currency: 'USD' },
    { address: usdc, amount: '10.25' },
    { address: usdc.toLowerCase(), amount: 10.25, decimals: 6 },
  ]
  for (const subtotal of subtotals)
    expect(outcome({ subtotal })).toEqual(outcome({ subtotal: { cents: 1025 } }))
})

test.each([
  [{ subtotal: { cents: 1, currency: 'EUR' } }, 'UNSUPPORTED_SUBTOTAL'],
  [{ subtotal: { address: shop, amount: '1' } }, 'UNSUPPORTED_SUBTOTAL'],
  // One letter in another case breaks the checksum.
  [{ subtotal: { address: usdc.replace('CbD', 'cbD'), amount: '1' } }, 'UNSUPPORTED_SUBTOTAL'],
  [{ subtotal: { address: usdc, amount: '1', decimals: 18 } }, 'UNSUPPORTED_SUBTOTAL'],
  [{ subtotal: { cents: 0 } }, 'INVALID_REQUEST'],
  [{ subtotal: { cents: 100 }, usdcAmount: { cents: 101 } }, 'INVALID_REQUEST'],
  [{ subtotal: { cents: Number.MAX_SAFE_INTEGER } }, 'INVALID_REQUEST'],
  [{ subtotal: { cents: 100 }, transactionData: { type: 'token', destination: usdc } }, 'INVALID_REQUEST'],
])('%j is %s', (body, code) => {
  expect(outcome(body)).toBe(code)
})

test('random bodies give an intent within bounds, or a 400 with its field', () => {
  const hex = (bytes: number) =>
    fc.uint8Array({ maxLength: bytes }).map((data) => `0x${Buffer.from(data).toString('hex')}`)
  const address = fc.oneof(hex(20), fc.constantFrom(usdc, shop, chain.creditsContract, `0x${'0'.repeat(40)}`))
  const number = fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger(), fc.constantFrom(0, -0, 1e-7, 1e21))
  const amount = fc.oneof(number, fc.string(), fc.float().map(String), fc.bigInt().map(String))
  const transaction = fc.record({ to: address, data: hex(40) })
  const body = fc.record(
    {
      subtotal: fc.oneof(
        fc.record({ cents: number }),
        fc.record({ cents: number, currency: fc.constantFrom('USD', 'EUR', 'X') }),
        fc.record({ address, amount, decimals: number }, { requiredKeys: ['address', 'amount'] }),
        fc.jsonValue(),
      ),
      usdcAmount: fc.record({ cents: number }),
      transactionData: fc.oneof(
        fc.record({ type: fc.constant('token'), destination: address }),
        fc.record({ transaction }),
        fc.record({ type: fc.constantFrom('safeMint', 'returned'), transaction, nftContract: address }),
        fc.record({ transaction, nftContract: address, nftId: fc.oneof(hex(33), amount) }),
        fc.record({
          type: fc.constant('decent'),
          dstChainId: fc.oneof(number, fc.constant(421614)),
          dstToken: address,
          contractAddress: address,
          contractData: hex(40),
          cost: fc.record({ isNative: fc.boolean(), amount }),
        }),
        fc.jsonValue(),
      ),
    },
    { requiredKeys: ['subtotal'] },
  )
  fc.assert(
    fc.property(body, (value) => {
      const intent = outcome(value)
      if (typeof intent === 'string') {
        expect(['INVALID_REQUEST', 'UNSUPPORTED_SUBTOTAL']).toContain(intent)
        return
      }
      expect(intent.amount).toBeGreaterThan(0n)
      expect(intent.amount).toBeLessThanOrEqual(BigInt(Number.MAX_SAFE_INTEGER))
      expect(intent.usdcAmount).toBeLessThanOrEqual(intent.amount)
    }),
    { numRuns: inject('generatedInputs') },
  )
})
