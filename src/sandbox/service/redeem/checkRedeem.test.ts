import { type Hex, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Service } from '../service.ts'
import { checkRedeem, checkWhitelist, endOfPermit } from './checkRedeem.ts'
import { fakeCredits, shop } from './fakeCredits.fixture.ts'
import { resolveIntent } from './resolveIntent.ts'

const now = 1_000_000n
const service = { now: () => Number(now) * 1000, settings: { permitSeconds: 1800 } } as Service // all that it reads

test.each([
  ['a year behind', now - 31_536_000n, now + 1800n],
  ['with the service', now, now + 1800n],
  ['a little ahead', now + 60n, now + 1860n],
  ['so far ahead that 30 minutes are too long for a client', now + 1800n, now + 3540n],
  ['as far ahead as leaves 5 minutes', now + 3240n, now + 3540n],
  ['one second further', now + 3241n, now + 3241n + 1800n],
  ['a year ahead', now + 31_536_000n, now + 31_537_800n],
])('a chain that is %s', (_, blockTime, end) => {
  expect(endOfPermit(service, blockTime)).toBe(end)
})

describe('a redeem is refused', () => {
  const limit = 6_000_000n
  /** Checks a redeem whose simulation has passed, with these changes of the chain's state. */
  function check(
    change: { validBefore?: bigint; blockTime?: bigint; credits?: bigint; amount?: bigint } = {},
  ) {
    const { validBefore = now + 60n, blockTime = now, credits = limit, amount = limit } = change
    const client = { request: async () => ({ number: '0x1', timestamp: `0x${blockTime.toString(16)}` }) }
    return checkRedeem(
      service,
      {
        redeem: { chain: { client }, intent: { amount: limit, usdcAmount: 0n } },
        terms: {
          permit: { validBefore, amount },
          price: { timestamp: blockTime },
          credits,
          trial: { gas: 1n, signature: '0x12' },
        },
      } as never, // what is read before the simulation
    )
  }
  /** Reached only by a redeem whose time, credits and amount were accepted. */
  const simulated = (refusal: unknown) => !Object.hasOwn(Object(refusal), 'code')
  const refusalOf = (change: Parameters<typeof check>[0]) => check(change).catch((error: unknown) => error)

  test.each([
    ['that ends this second, by the service', { validBefore: now, blockTime: now - 9n }, 'PERMIT_EXPIRED'],
    [
      'that ends this second, by the chain',
      { validBefore: now + 60n, blockTime: now + 60n },
      'PERMIT_EXPIRED',
    ],
    ['for more than an hour', { validBefore: now + 3601n }, 'INVALID_PERMIT'],
    ['above the wallet’s credits', { credits: limit - 1n }, 'INSUFFICIENT_CREDITS'],
    ['above its permit', { amount: limit - 1n }, 'EXCEEDS_AUTHORIZED'],
  ])('%s', async (_, change, code) => {
    expect(await refusalOf(change)).toMatchObject({ code })
  })

  test.each([
    ['a second before its permit expires', { validBefore: now + 1n }],
    ['a second before its permit expires, by the chain', { validBefore: now + 60n, blockTime: now + 59n }],
    ['with a permit for an hour', { validBefore: now + 3600n }],
    [
      'with a permit for an hour by a chain that is behind',
      { validBefore: now + 3600n, blockTime: now - 100n },
    ],
    [
      'with a permit for an hour by a chain that is ahead',
      { validBefore: now + 3700n, blockTime: now + 100n },
    ],
    ['with all of its credits', {}],
  ])('but not %s', async (_, change) => {
    expect(simulated(await refusalOf(change))).toBe(true)
  })
})

describe('a call', () => {
  const chain = fakeCredits()
  const selectorOf = (text: string) => toFunctionSelector(text)
  const buy = selectorOf('buy()')
  const check = (target: Hex, data: Hex, on = chain) =>
    checkWhitelist(on, {
      intent: resolveIntent(on, {
        subtotal: { cents: 1 },
        transactionData: { transaction: { to: target, data } },
      }),
      creditSeed: 'shop',
    })
  const refused = { code: 'NOT_WHITELISTED' }

  test('passes if it is on the whitelist, however it is written', async () => {
    await check(shop, buy)
    await check(shop.toLowerCase() as Hex, buy.toUpperCase().replace('0X', '0x') as Hex)
  })

  test.each([
    ['Permit2', '0x000000000022D473030F116dDEE9F6B43aC78BA3'],
    ['the credits contract', chain.creditsContract],
    ['USDC', chain.usdc as Hex],
  ] as const)('of %s is refused, even from the whitelist', async (_, target) => {
    await expect(check(target, buy)).rejects.toMatchObject({ ...refused, details: { target } })
  })

  test.each([
    'approve(address,uint256)',
    'setApprovalForAll(address,bool)',
    'transferFrom(address,address,uint256)',
    'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  ])('of %s is refused, even from the whitelist', async (text) => {
    const selector = selectorOf(text)
    await expect(check(shop, `${selector}${'00'.repeat(64)}`)).rejects.toMatchObject({
      ...refused,
      details: { target: shop, selector },
    })
  })

  test('that is not on the whitelist is refused with the entry that the merchant must add', async () => {
    const other = fakeCredits()
    other.state.isWhitelisted = false
    await expect(check(shop, buy, other)).rejects.toMatchObject({
      ...refused,
      details: { target: shop, selector: buy, chainId: chain.chainId },
    })
    const intent = resolveIntent(other, {
      subtotal: { cents: 1 },
      transactionData: {
        type: 'decent',
        dstChainId: 421_614,
        dstToken: shop,
        contractAddress: shop,
        contractData: buy,
        cost: { isNative: false, amount: '1' },
      },
    })
    await expect(checkWhitelist(other, { intent, creditSeed: 'shop' })).rejects.toMatchObject({
      ...refused,
      details: { target: shop, selector: buy, chainId: 421_614 },
    })
  })

  test('is checked the same on a chain without USDC', async () => {
    await check(shop, buy, { ...chain, usdc: undefined })
  })
})
