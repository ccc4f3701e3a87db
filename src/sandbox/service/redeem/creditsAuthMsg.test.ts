import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { commitmentOf, orderKey as orderKeyFor } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { redeemIntent } from '../../../redeemkit/evm/creditPermit/redeemIntent.ts'
import { usdcMethods } from '../../simulation/redeemRequest.ts'
import { intents } from '../../store/tables/index.ts'
import { alice, now, post, redeemService, shop, tenDollars } from './fakeCredits.fixture.ts'

let fixture: Awaited<ReturnType<typeof redeemService>>
beforeAll(async () => {
  fixture = await redeemService()
})
beforeEach(async () => {
  await fixture.reset()
  await (await fixture.service.database()).delete(intents)
})
afterAll(() => fixture?.close())

const salt: Hex = `0x${'5a'.repeat(32)}`
const orderKey: Hex = `0x${'da'.repeat(12)}`
const prepare = (change: object = {}, headers = {}) =>
  post(fixture, 'creditsAuthMsg', { ...tenDollars, ...change }, headers)
const answerOf = async (change: object = {}) => (await prepare(change)).body
const codeOf = async (change: object = {}) => (await prepare(change)).body.code
const issuesOf = async (change: object) => (await prepare(change)).body.issues
const messageOf = async (change: object = {}) => JSON.parse((await answerOf(change)).message).message
const rows = async () => (await fixture.service.database()).select().from(intents)

/** The current fee plus a quarter, in whole cents: 0.38 USD. */
const quoted = 380_000

describe('the permit to sign', () => {
  test('commits to the request with the client’s salt and order key', async () => {
    const { message, ...answer } = await answerOf({ salt, orderKey })
    const { nonce } = redeemIntent({
      chainId: fixture.base.chainId,
      wallet: alice.address,
      request: { subtotal: { cents: 1000 }, transactionData: { type: 'token', destination: shop } },
      orderKey,
      salt,
    })
    const validBefore = `${now + 1800n}`
    const creditsRawAmount = 10_000_000 + quoted
    expect(answer).toEqual({ validBefore, nonce, creditsRawAmount, salt, orderKey })
    expect(JSON.parse(message)).toMatchObject({
      domain: {
        name: 'Credits',
        version: '1',
        chainId: fixture.base.chainId,
        verifyingContract: fixture.base.creditsContract,
      },
      message: {
        customerWallet: alice.address,
        creditSeed: 'shop',
        amount: creditsRawAmount,
        validBefore,
        nonce,
      },
    })
  })

  test('contains salt and order key in lower case', async () => {
    const upper = (hex: Hex) => hex.toUpperCase().replace('0X', '0x')
    const { nonce } = await answerOf({ salt, orderKey })
    const answer = await answerOf({ salt: upper(salt), orderKey: upper(orderKey) })
    expect(answer).toMatchObject({ nonce, salt, orderKey })
    expect(await rows()).toHaveLength(1)
  })

  test('has a random salt and order key if the client sends none', async () => {
    const [one, other] = [await answerOf(), await answerOf()]
    expect(one.orderKey).toMatch(/^0x[89a-f][0-9a-f]{23}$/)
    expect(one.salt).toMatch(/^0x[0-9a-f]{64}$/)
    expect([one.orderKey, one.salt]).not.toEqual([other.orderKey, other.salt])
    expect(one.nonce.slice(0, 26)).toBe(one.orderKey)
  })

  test('contains the order key of the purchaseId', async () => {
    const key = orderKeyFor({ merchantId: 'shop', purchaseId: 'order 1' })
    expect(await answerOf({ purchaseId: 'order 1' })).toMatchObject({ orderKey: key })
    expect(await answerOf({ purchaseId: 'order 1', orderKey: key })).toMatchObject({ orderKey: key })
  })

  test.each<[string, object, string]>([
    ['an order key with a clear highest bit', { orderKey: `0x7f${'ff'.repeat(11)}` }, 'orderKey'],
    ['an order key of another purchaseId', { orderKey, purchaseId: 'order 1' }, 'purchaseId'],
  ])('is not returned for %s', async (_, change, issue) => {
    expect(await issuesOf(change)).toEqual([issue])
    expect(await rows()).toEqual([])
  })

  test('may contain the lowest valid order key', async () => {
    const lowest = `0x80${'00'.repeat(11)}`
    expect(await answerOf({ orderKey: lowest })).toMatchObject({ orderKey: lowest })
  })

  test('comes with a USDC authorization that has the same nonce and expiry and that only the contract can collect', async () => {
    const { usdcAuthorization, nonce, validBefore, creditsRawAmount } = await answerOf({
      usdcAmount: { cents: 400 },
    })
    expect(creditsRawAmount).toBe(6_000_000 + quoted)
    const messageData = {
      from: alice.address,
      to: fixture.base.creditsContract,
      value: '4000000',
      validAfter: '0',
      validBefore,
      nonce,
    }
    expect(usdcAuthorization.messageData).toEqual(messageData)
    expect(JSON.parse(usdcAuthorization.message)).toMatchObject({
      domain: { chainId: fixture.base.chainId, verifyingContract: fixture.base.usdc },
      primaryType: 'ReceiveWithAuthorization',
      message: messageData,
    })
    expect(await answerOf()).not.toHaveProperty('usdcAuthorization')
  })
})

describe('the fee in the permit', () => {
  test('is zero if the merchant pays it', async () => {
    fixture.service.settings.gasFeePayer = 'merchant'
    expect(await messageOf()).toMatchObject({ amount: 10_000_000 })
    expect(fixture.base.state.simulated.map(({ gasFee }) => gasFee)).toEqual([])
  })

  test('is estimated by simulating the redeem with the lowest fee', async () => {
    await answerOf()
    await answerOf({ usdcAmount: { cents: 400 } })
    expect(fixture.base.state.simulated).toMatchObject([
      { gasFee: 10_000n, permit: { amount: 10_010_000n }, usdcAuthorization: { method: usdcMethods.none } },
      {
        gasFee: 10_000n,
        permit: { amount: 6_010_000n },
        usdcAuthorization: { method: usdcMethods.receiveV2 },
      },
    ])
  })

  test('is estimated generously if the redeem cannot be simulated yet', async () => {
    fixture.base.state.simulate = () => {
      throw new Error('execution reverted')
    }
    // 180,000 gas plus a quarter, at 1 gwei and 3,000 USD per coin, cost 0.675 USD.
    expect(await messageOf()).toMatchObject({ amount: 10_680_000 })
  })

  test('uses the gas measured by an earlier submit of the same redeem, if that was more', async () => {
    await answerOf({ salt, orderKey })
    await (await fixture.service.database()).update(intents).set({ gasNeeded: 200_000n })
    expect(await messageOf({ salt, orderKey })).toMatchObject({ amount: 10_750_000 })
  })
})

describe('the intent', () => {
  const entry = { purchaseId: 'order 1', webhookInfo: { cart: 7 } }

  test('is stored before the response is sent', async () => {
    const { nonce } = await answerOf({ salt, ...entry, usdcAmount: { cents: 400 } })
    expect(await rows()).toMatchObject([
      {
        blockchain: 'base',
        wallet: alice.address,
        nonce,
        merchantId: 'shop',
        salt,
        ...entry,
        amount: 10_000_000n,
        usdcAmount: 4_000_000n,
        blockNumber: 10n,
        createdAt: new Date(Number(now) * 1000),
      },
    ])
  })

  test('keeps the first order id and webhook data', async () => {
    const key = orderKeyFor({ merchantId: 'shop', purchaseId: 'order 1' })
    await answerOf({ salt, orderKey: key })
    await answerOf({ salt, ...entry })
    await answerOf({ salt, orderKey: key, webhookInfo: { cart: 8 } })
    expect(await rows()).toMatchObject([entry])
  })

  test('belongs to one merchant', async () => {
    await answerOf({ salt, orderKey })
    expect(await codeOf({ salt, orderKey, merchantId: 'other' })).toBe('AMBIGUOUS_INTENT')
    expect(await rows()).toMatchObject([{ merchantId: 'shop' }])
  })
})

describe('returns no message to sign', () => {
  test('for an unknown merchant', async () => {
    expect(await codeOf({ merchantId: 'none' })).toBe('NOT_FOUND')
  })

  test('for a wallet that USDC has blocked, or while USDC is paused', async () => {
    fixture.base.state.isBlocked = true
    expect(await codeOf()).toBe('CUSTOMER_BLOCKED')
    fixture.base.state.isBlocked = false
    fixture.base.state.isPaused = true
    expect((await prepare()).body).toMatchObject({
      code: 'UNAVAILABLE',
      details: { reason: 'USDC_PAUSED', blockchain: 'base' },
    })
  })

  test('without sign-in if the service requires it', async () => {
    fixture.service.settings.requireSignIn = true
    expect(await codeOf()).toBe('UNAUTHENTICATED')
  })

  test('for text that the database cannot store', async () => {
    expect(await issuesOf({ webhookInfo: { text: 'a\0b' } })).toEqual(['webhookInfo.text'])
  })
})

test('a service with random nonces returns no salt, no order key and no authorization', async () => {
  await fixture.reset('randomNonce')
  const ask = { salt, orderKey, usdcAmount: { cents: 400 } }
  const [one, other] = [await answerOf(ask), await answerOf(ask)]
  expect(Object.keys(one).sort()).toEqual(['creditsRawAmount', 'message', 'nonce', 'validBefore'])
  expect(one.nonce).not.toBe(other.nonce)
  expect(commitmentOf(one.nonce)).toHaveLength(42)
  expect(await rows()).toMatchObject([{ salt: `0x${'00'.repeat(32)}` }, {}])
})
