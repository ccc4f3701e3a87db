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

test('a price in the USDC of the chain is the same price', () => {
  const inUsdc = { ...request, subtotal: { address: usdc, amount: '10' } }
  expect(redeemIntent({ chainId: 8453, wallet, request: inUsdc, ...order })).toEqual(
    redeemIntent({ chainId: 8453, wallet, request, ...order }),
  )
})

test('a given token replaces the USDC of the chain', () => {
  const token = { address: wallet } as const
  const inToken = { ...request, subtotal: { address: wallet, amount: '10' } }
  expect(redeemIntent({ chainId: 31337, wallet, request: inToken, ...order, token }).usdc).toEqual({
    chainId: 31337,
    address: wallet,
  })
  expect(() => redeemIntent({ chainId: 8453, wallet, request: inToken, ...order })).toThrow('is not the USDC')
})

test('without USDC on the chain, credits alone pay', () => {
  const { usdcAmount, ...credits } = request
  expect(redeemIntent({ chainId: 4217, wallet, request: credits, ...order }).usdc).toBeUndefined()
  expect(() => redeemIntent({ chainId: 4217, wallet, request, ...order })).toThrow('Tempo')
})

test.each([
  ['more USDC than the whole', { usdcAmount: { cents: 1001 } }, 'InvalidRedeemRequestError'],
  ['nothing', { subtotal: { cents: 0 }, usdcAmount: undefined }, 'InvalidAmountError'],
  ['more credits than JSON holds', { subtotal: { cents: 900_719_926_000 } }, 'InvalidAmountError'],
  ['another currency', { subtotal: { cents: 1000, currency: 'EUR' as 'USD' } }, 'InvalidSubtotalError'],
])('%s is refused', (_, change, name) => {
  expect(() => redeemIntent({ chainId: 8453, wallet, request: { ...request, ...change }, ...order })).toThrow(
    expect.objectContaining({ name }),
  )
})
