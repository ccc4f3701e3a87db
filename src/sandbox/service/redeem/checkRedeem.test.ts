import { type Hex, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Service } from '../service.ts'
import { checkRedeem, checkWhitelist, endOfPermit } from './checkRedeem.ts'
import { fakeCredits, shop } from './fakeCredits.fixture.ts'
import { resolveIntent } from './resolveIntent.ts'

const now = 1_000_000n
const service = { now: () => Number(now) * 1000, settings: { permitSeconds: 1800 } } as Service // no other field is read

test.each([
  ['a year behind', now - 31_536_000n, now + 1800n],
  ['level with the service’s clock', now, now + 1800n],
  ['a little ahead', now + 60n, now + 1860n],
  ['so far ahead that a client would reject a permit of 30 minutes', now + 1800n, now + 3540n],
  ['so far ahead that exactly 5 minutes remain to sign', now + 3240n, now + 3540n],
  ['so far ahead that less than 5 minutes would remain to sign', now + 3241n, now + 3241n + 1800n],
  ['a year ahead', now + 31_536_000n, now + 31_537_800n],
])('a permit has the right end on a chain that is %s', (_, blockTime, end) => {
  expect(endOfPermit(service, blockTime)).toBe(end)
})

describe('a redeem is rejected', () => {
  const limit = 6_000_000n
  /** Checks a redeem whose simulation has passed, with these changes of permit and chain state. */
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
      } as never, // only these fields are read before the simulation
    )
  }
  /** Whether the check passed time, credits and amount, whose errors have a code. */
  const simulated = (refusal: unknown) => !Object.hasOwn(Object(refusal), 'code')
  const refusalOf = (change: Parameters<typeof check>[0]) => check(change).catch((error: unknown) => error)

  test.each([
    [
      'that ends this second by the service’s clock',
      { validBefore: now, blockTime: now - 9n },
      'PERMIT_EXPIRED',
    ],
    [
      'that ends this second by the chain’s clock',
      { validBefore: now + 60n, blockTime: now + 60n },
      'PERMIT_EXPIRED',
    ],
    ['with a permit for more than an hour', { validBefore: now + 3601n }, 'INVALID_PERMIT'],
    ['above the wallet’s credits', { credits: limit - 1n }, 'INSUFFICIENT_CREDITS'],
    ['above its permit', { amount: limit - 1n }, 'EXCEEDS_AUTHORIZED'],
  ])('%s', async (_, change, code) => {
    expect(await refusalOf(change)).toMatchObject({ code })
  })

  test.each([
    ['a second before its permit expires by the service’s clock', { validBefore: now + 1n }],
    [
      'a second before its permit expires by the chain’s clock',
      { validBefore: now + 60n, blockTime: now + 59n },
    ],
    ['with a permit for an hour', { validBefore: now + 3600n }],
    [
      'with a permit for an hour, if the chain is behind',
      { validBefore: now + 3600n, blockTime: now - 100n },
    ],
    [
      'with a permit for an hour by the clock of a chain that is ahead',
      { validBefore: now + 3700n, blockTime: now + 100n },
    ],
    ['with exactly the wallet’s credits', {}],
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

  test('passes if it is on the whitelist, in upper or lower case', async () => {
    await check(shop, buy)
    await check(shop.toLowerCase() as Hex, buy.toUpperCase().replace('0X', '0x') as Hex)
  })

  test.each([
    ['Permit2', '0x000000000022D473030F116dDEE9F6B43aC78BA3'],
    ['the credits contract', chain.creditsContract],
    ['USDC', chain.usdc as Hex],
  ] as const)('to %s is rejected even if it is whitelisted', async (_, target) => {
    await expect(check(target, buy)).rejects.toMatchObject({ ...refused, details: { target } })
  })

  test.each([
    'approve(address,uint256)',
    'setApprovalForAll(address,bool)',
    'transferFrom(address,address,uint256)',
    'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  ])('of %s is rejected even if it is whitelisted', async (text) => {
    const selector = selectorOf(text)
    await expect(check(shop, `${selector}${'00'.repeat(64)}`)).rejects.toMatchObject({
      ...refused,
      details: { target: shop, selector },
    })
  })

  test('that is not whitelisted is rejected, and the error has the entry that the merchant must add', async () => {
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

  test('is checked in the same way on a chain without USDC', async () => {
    await check(shop, buy, { ...chain, usdc: undefined })
  })
})
