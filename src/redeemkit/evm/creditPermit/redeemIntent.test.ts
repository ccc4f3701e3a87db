import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { type RedeemRequest, redeemIntent } from './redeemIntent.ts'

// the worked example of PROTOCOL.md 4.1
const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const order = {
  orderKey: '0xcff8661c04b781a2804ce2e8',
  salt: '0xa05e334153147e75f3f416139b5109d1179cb56fef6a4ecb4c4cbc92a7c37b70',
} as const
const request: RedeemRequest = {
  subtotal: { cents: 1000 },
  usdcAmount: { cents: 400 },
  transactionData: {
    transaction: {
      to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      data: '0xcce7ec13000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb922660000000000000000000000000000000000000000000000000000000000989680',
    },
  },
}
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

test('amounts and nonce match the worked example', () => {
  expect(redeemIntent({ chainId: 8453, wallet, request, ...order })).toMatchObject({
    amount: 10_000_000n,
    usdcAmount: 4_000_000n,
    usdc: { chainId: 8453, address: usdc },
    nonce: '0xcff8661c04b781a2804ce2e83dfc0acc4ffe622d5d5063c53b32e8cca0e2e4f6',
  })
})

test('a price in the chain’s USDC gives the same amounts and nonce as the price in dollars', () => {
  const inUsdc = { ...request, subtotal: { address: usdc, amount: '10' } }
  expect(redeemIntent({ chainId: 8453, wallet, request: inUsdc, ...order })).toEqual(
    redeemIntent({ chainId: 8453, wallet, request, ...order }),
  )
})

test('a token in the options replaces the chain’s USDC', () => {
  const token = { address: wallet } as const
  const inToken = { ...request, subtotal: { address: wallet, amount: '10' } }
  expect(redeemIntent({ chainId: 31337, wallet, request: inToken, ...order, token }).usdc).toEqual({
    chainId: 31337,
    address: wallet,
  })
  expect(() => redeemIntent({ chainId: 8453, wallet, request: inToken, ...order })).toThrow(
    expect.objectContaining({ name: 'InvalidSubtotalError', fix: `Use ${usdc}, or US cents.` }),
  )
})

test.each<[string, Partial<RedeemRequest>, bigint]>([
  ['a millionth as a number', { subtotal: { address: usdc, amount: 1e-6 }, usdcAmount: undefined }, 1n],
  ['a number of dollars', { subtotal: { address: usdc, amount: 10.25, decimals: 6 } }, 10_250_000n],
  ['US dollars', { subtotal: { cents: 1000, currency: 'USD' } }, 10_000_000n],
  ['the whole price in USDC', { usdcAmount: { cents: 1000 } }, 10_000_000n],
  [
    'the most credits that JSON can represent',
    { subtotal: { address: usdc, amount: '9007199254.740991' }, usdcAmount: undefined },
    9_007_199_254_740_991n,
  ],
  [
    'a subtotal above that, if USDC pays the excess',
    { subtotal: { cents: 900_719_926_000 }, usdcAmount: { cents: 1000 } },
    9_007_199_260_000_000n,
  ],
])('%s is accepted', (_, change, amount) => {
  expect(redeemIntent({ chainId: 8453, wallet, request: { ...request, ...change }, ...order }).amount).toBe(
    amount,
  )
})

test('a `decent` purchase needs the bridge adapter, unless the nonce is random', () => {
  const decent = {
    ...request,
    transactionData: {
      type: 'decent',
      dstChainId: 10,
      dstToken: usdc,
      contractAddress: wallet,
      contractData: '0x12345678',
      cost: { isNative: false, amount: '5' },
    },
  } as const
  const intent = (more: { intentBound?: boolean; bridgeAdapter?: Address }) =>
    redeemIntent({ chainId: 8453, wallet, request: decent, ...order, ...more })
  expect(() => intent({})).toThrow('bridgeAdapter')
  expect(() => intent({ intentBound: true })).toThrow('bridgeAdapter')
  expect(intent({ intentBound: false }).amount).toBe(10_000_000n)
  expect(intent({ bridgeAdapter: wallet }).nonce).not.toBe(intent({ bridgeAdapter: usdc }).nonce)
})

test('on a chain without USDC, a price in USDC and a USDC part are refused', () => {
  const { usdcAmount, ...credits } = request
  const inUsdc = { ...credits, subtotal: { address: usdc, amount: '10' } }
  expect(() => redeemIntent({ chainId: 4217, wallet, request: inUsdc, ...order })).toThrow(
    expect.objectContaining({
      name: 'InvalidSubtotalError',
      fix: 'This chain has no USDC: give the price in US cents.',
    }),
  )
  expect(redeemIntent({ chainId: 4217, wallet, request: credits, ...order }).usdc).toBeUndefined()
  expect(() => redeemIntent({ chainId: 4217, wallet, request, ...order })).toThrow('Tempo')
})

test.each([
  ['a number with seven decimal places', { subtotal: { address: usdc, amount: 1e-7 } }, 'InvalidAmountError'],
  [
    'a number that JSON may have rounded',
    { subtotal: { address: usdc, amount: 2 ** 53 } },
    'InvalidAmountError',
  ],
  ['a number with an exponent', { subtotal: { address: usdc, amount: 1e21 } }, 'InvalidAmountError'],
  [
    'USDC with other decimals',
    { subtotal: { address: usdc, amount: '10', decimals: 18 } },
    'InvalidSubtotalError',
  ],
  ['more USDC than the subtotal', { usdcAmount: { cents: 1001 } }, 'InvalidRedeemRequestError'],
  ['a subtotal of 0', { subtotal: { cents: 0 }, usdcAmount: undefined }, 'InvalidAmountError'],
  ['more credits than JSON can represent', { subtotal: { cents: 900_719_926_000 } }, 'InvalidAmountError'],
  ['another currency', { subtotal: { cents: 1000, currency: 'EUR' as 'USD' } }, 'InvalidSubtotalError'],
])('%s is refused', (_, change, name) => {
  expect(() => redeemIntent({ chainId: 8453, wallet, request: { ...request, ...change }, ...order })).toThrow(
    expect.objectContaining({ name }),
  )
})
