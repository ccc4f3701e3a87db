import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { hashSettlement } from '../../../redeemkit/evm/creditPermit/redeemIntentNonce.ts'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { creditsAuthMsgBody } from '../../../redeemkit/schema/redeem.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { describeError } from '../http/problem.ts'
import { hashIntent, type ResolvedIntent, resolveIntent } from './resolveIntent.ts'

const usdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const shop = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
// The code under test reads no other fields of a chain.
const chain = {
  blockchain: 'base',
  creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  usdc,
  destinations: new Map([
    [421614, {}],
    [80002, {}],
  ]),
} as unknown as EvmChain
const toShop = { type: 'token', destination: shop } as const

/** Returns the intent of a body or, if it is rejected, the error's code, field and message. */
function outcome(body: object, on = chain): ResolvedIntent | { refused: string; message: string } {
  try {
    const record = parseRecord(creditsAuthMsgBody, { merchantId: 'shop', transactionData: toShop, ...body })
    return resolveIntent(on, record)
  } catch (error) {
    const { code, issues = [], message } = describeError(error)
    return { refused: `${code} ${issues.join()}`, message }
  }
}

test('resolves the example of PROTOCOL.md 6.1', () => {
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

/** The maximum: 2^53 - 1 units, less 1,000 dollars for the fee. */
const mostCents = Math.floor(Number.MAX_SAFE_INTEGER / 10_000) - 100_000
const call = (data: string) => ({ transaction: { to: shop, data } })
const bridge = (change: object = {}) => ({
  type: 'decent',
  dstChainId: 421614,
  dstToken: usdc,
  contractAddress: shop,
  contractData: '0x12345678',
  cost: { isNative: false, amount: '5' },
  ...change,
})

describe('the error for an invalid body names the field to change', () => {
  const cents = { subtotal: { cents: 100 } }
  test.each<[string, object, string, RegExp]>([
    [
      'another currency',
      { subtotal: { cents: 1, currency: 'EUR' } },
      'UNSUPPORTED_SUBTOTAL subtotal.currency',
      /EUR/,
    ],
    [
      'another token',
      { subtotal: { address: shop, amount: '1' } },
      'UNSUPPORTED_SUBTOTAL subtotal.address',
      /USDC, 0x036C.*not in "0x7099/,
    ],
    // One letter in the other case breaks the checksum.
    [
      'an address of USDC with a typing error',
      { subtotal: { address: usdc.replace('CbD', 'cbD'), amount: '1' } },
      'UNSUPPORTED_SUBTOTAL subtotal.address',
      /USDC/,
    ],
    [
      'other decimals',
      { subtotal: { address: usdc, amount: '1', decimals: 18 } },
      'UNSUPPORTED_SUBTOTAL subtotal.decimals',
      /6 decimals/,
    ],
    [
      'a seventh decimal place',
      { subtotal: { address: usdc, amount: '0.1234567' } },
      'UNSUPPORTED_SUBTOTAL subtotal.amount',
      /0\.1234567/,
    ],
    [
      'a number smaller than a raw unit',
      { subtotal: { address: usdc, amount: 1e-7 } },
      'UNSUPPORTED_SUBTOTAL subtotal.amount',
      /1e-7/,
    ],
    ['a subtotal of zero', { subtotal: { cents: 0 } }, 'INVALID_REQUEST subtotal', /above zero/],
    [
      'a cent more than a permit can charge',
      { subtotal: { cents: mostCents + 1 } },
      'INVALID_REQUEST subtotal',
      /above 9007198254 US dollars/,
    ],
    [
      'more USDC than the subtotal',
      { ...cents, usdcAmount: { cents: 101 } },
      'INVALID_REQUEST usdcAmount.cents',
      /subtotal/,
    ],
    [
      'the zero address as destination',
      { ...cents, transactionData: { type: 'token', destination: `0x${'0'.repeat(40)}` } },
      'INVALID_REQUEST transactionData.destination',
      /zero address/,
    ],
    [
      'a call of 3 bytes',
      { ...cents, transactionData: call('0x123456') },
      'INVALID_REQUEST transactionData.transaction.data',
      /4-byte/,
    ],
    [
      'a call of 3 bytes on another chain',
      { ...cents, transactionData: bridge({ contractData: '0x123456' }) },
      'INVALID_REQUEST transactionData.contractData',
      /4-byte/,
    ],
    [
      'a destination chain without a bridge to it',
      { ...cents, transactionData: bridge({ dstChainId: 10 }) },
      'INVALID_REQUEST transactionData.dstChainId',
      /chain 10\. Destinations: 421614, 80002/,
    ],
  ])('%s', (_, body, refused, message) => {
    expect(outcome(body)).toEqual({ refused, message: expect.stringMatching(message) })
  })

  test.each([usdc, usdc.toLowerCase(), chain.creditsContract])(
    'USDC sent to %s would be lost',
    (destination) => {
      expect(outcome({ ...cents, transactionData: { type: 'token', destination } })).toMatchObject({
        refused: 'INVALID_REQUEST transactionData.destination',
      })
    },
  )

  test('a USDC part on a chain whose USDC has no authorizations', () => {
    const without = { ...chain, usdc: undefined }
    expect(outcome({ ...cents, usdcAmount: { cents: 1 } }, without)).toMatchObject({
      refused: 'INVALID_REQUEST usdcAmount',
    })
    expect(outcome({ subtotal: { address: usdc, amount: '1' } }, without)).toEqual({
      refused: 'UNSUPPORTED_SUBTOTAL subtotal.address',
      message: 'A redeem on base accepts subtotals in USD only.',
    })
    expect(outcome({ ...cents, usdcAmount: { cents: 0 } }, without)).toMatchObject({ amount: 1_000_000n })
    const transactionData = { type: 'token', destination: chain.creditsContract }
    expect(outcome({ ...cents, transactionData }, without)).toHaveProperty('refused')
  })

  test('a bridge from a chain without any bridge', () => {
    const without = { ...chain, destinations: new Map() }
    expect(outcome({ ...cents, transactionData: bridge() }, without)).toEqual({
      refused: 'INVALID_REQUEST transactionData.dstChainId',
      message: 'This service has no bridge from base.',
    })
  })
})

test.each<[string, object]>([
  ['the highest subtotal', { subtotal: { cents: mostCents } }],
  ['the highest subtotal in USDC', { subtotal: { address: usdc, amount: '9007198254.740991' } }],
  ['a USDC part of the whole subtotal', { subtotal: { cents: 100 }, usdcAmount: { cents: 100 } }],
  ['a call without arguments', { subtotal: { cents: 100 }, transactionData: call('0x12345678') }],
  ['a call on another chain', { subtotal: { cents: 100 }, transactionData: bridge() }],
])('accepts %s', (_, body) => {
  expect(outcome(body)).toHaveProperty('amount')
})

describe('the settlement hash', () => {
  const adapter = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'
  /** A chain whose credits contract returns this bridge adapter. */
  const chainWith = (address: string) =>
    ({
      ...chain,
      client: { readContract: async () => address },
    }) as unknown as EvmChain // no other field is read
  const resolved = (transactionData: object) =>
    outcome({ subtotal: { cents: 100 }, transactionData }) as ResolvedIntent // these bodies are not rejected

  test('of a decent redeem commits to the current bridge adapter', async () => {
    const intent = resolved(bridge())
    const { settlementHash } = await hashIntent(chainWith(adapter), intent)
    expect(settlementHash).toBe(hashSettlement(intent.settlement, { bridgeAdapter: adapter }))
    expect((await hashIntent(chainWith(shop), intent)).settlementHash).not.toBe(settlementHash)
  })

  test('of other redeems does not depend on the bridge adapter', async () => {
    const intent = resolved(toShop)
    const { settlementHash } = await hashIntent(chain, intent)
    expect(settlementHash).toBe(hashSettlement(intent.settlement, { bridgeAdapter: undefined }))
  })

  test('of a decent redeem does not exist while the contract has no bridge adapter', async () => {
    const refusal = hashIntent(chainWith(`0x${'0'.repeat(40)}`), resolved(bridge()))
    await expect(refusal).rejects.toMatchObject({ issues: ['transactionData.dstChainId'] })
  })
})

test('random bodies return an intent within the limits, or a 400 that names the field', () => {
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
      if ('refused' in intent) {
        expect(intent.refused).toMatch(/^(?:INVALID_REQUEST|UNSUPPORTED_SUBTOTAL) \S/)
        return
      }
      expect(intent.amount).toBeGreaterThan(0n)
      expect(intent.amount).toBeLessThanOrEqual(BigInt(Number.MAX_SAFE_INTEGER))
      expect(intent.usdcAmount).toBeLessThanOrEqual(intent.amount)
    }),
    { numRuns: inject('generatedInputs') },
  )
})
