import { concat, type Hex, serializeErc6492Signature } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { normal } from '../../../redeemkit/evm/transactionData/builders.ts'
import { orderClaims, redeems } from '../../store/tables/index.ts'
import {
  alice,
  fee,
  gas,
  hashOf,
  otherAttempt,
  post,
  redeemService,
  revertWith,
  shop,
  tenDollars,
  thirdParty,
} from './fakeCredits.fixture.ts'

let fixture: Awaited<ReturnType<typeof redeemService>>
beforeAll(async () => {
  fixture = await redeemService()
})
beforeEach(() => fixture.reset())
afterAll(() => fixture?.close())

type Body = { [field: string]: unknown; purchaseId?: string }

/** Prepares a redeem and signs all of it. */
async function sign(change: Body = {}, headers = {}) {
  const body: Body = { ...tenDollars, ...change }
  const { body: answer } = await post(fixture, 'creditsAuthMsg', body, headers)
  const { message, validBefore, nonce, creditsRawAmount, usdcAuthorization } = answer
  const signed = (text: string) => alice.signTypedData(JSON.parse(text))
  const { purchaseId: _, ...terms } = body
  return {
    ...terms,
    validBefore,
    nonce: nonce as Hex,
    creditsRawAmount: creditsRawAmount as number,
    signedMessages: {
      permitCredits: await signed(message),
      ...(usdcAuthorization && {
        customerUsdcAuthDataV2: {
          ...usdcAuthorization.messageData,
          signature: await signed(usdcAuthorization.message),
        },
      }),
    },
  }
}
const send = (body: object, headers = {}) => post(fixture, 'sendGaslessTx', body, headers)
/** The code of a refusal; the hash of an accepted redeem. */
const outcomeOf = async (body: object, headers = {}) => {
  const { body: answer } = await send(body, headers)
  return answer.hash ?? answer.code
}
const rows = async () => (await fixture.service.database()).select().from(redeems)
const setRow = async (change: Partial<typeof redeems.$inferInsert>) =>
  (await fixture.service.database()).update(redeems).set(change)

describe('a redeem that passes every check', () => {
  test('is sent with the signed permit, the estimated gas and its fee', async () => {
    const signed = await sign()
    expect(await send(signed)).toEqual({ status: 200, body: { hash: hashOf(1) } })
    expect(fixture.sent).toMatchObject([
      {
        redeem: { wallet: alice.address, nonce: signed.nonce },
        merchantId: 'shop',
        request: {
          permit: {
            customerWallet: alice.address,
            creditSeed: 'shop',
            amount: BigInt(signed.creditsRawAmount),
            validBefore: BigInt(signed.validBefore),
            signature: signed.signedMessages.permitCredits,
          },
          intent: { amount: 10_000_000n, usdcAmount: 0n },
          gasFee: fee,
        },
        gas,
        gasFee: fee,
        attempt: 1,
        turn: 0,
        ended: undefined,
      },
    ])
  })

  test('is sent with the USDC authorization', async () => {
    const signed = await sign({ usdcAmount: { cents: 400 } })
    expect(await outcomeOf(signed)).toBe(hashOf(1))
    expect(fixture.sent).toMatchObject([
      {
        request: {
          intent: { amount: 10_000_000n, usdcAmount: 4_000_000n },
          usdcAuthorization: { signature: signed.signedMessages.customerUsdcAuthDataV2?.signature },
        },
      },
    ])
  })

  test('has one nonce in every spelling', async () => {
    const signed = await sign()
    await send({ ...signed, nonce: signed.nonce.toUpperCase().replace('0X', '0x') })
    expect(await rows()).toMatchObject([{ nonce: signed.nonce }])
  })

  test.each([
    ['repeated', (one: object) => send(one).then(() => send(one))],
    ['sent twice at once', (one: object) => Promise.all([send(one), send(one)]).then(([, last]) => last)],
  ])('%s, has one transaction', async (_, repeat) => {
    const signed = await sign()
    expect((await repeat(signed)).body).toEqual({ hash: hashOf(1) })
    expect(fixture.transactions()).toBe(1)
  })

  test('is sent again as the next attempt once its transaction reverted', async () => {
    const signed = await sign()
    await send(signed)
    await setRow({ status: 'reverted' })
    expect(await outcomeOf(signed)).toBe(hashOf(2))
    expect(await rows()).toMatchObject([{ attempt: 2, status: 'sending', hash: hashOf(2) }])
  })
})

describe('a redeem is refused, and nothing is sent,', () => {
  const refused = async (body: object, code: string, headers = {}) => {
    expect(await outcomeOf(body, headers)).toBe(code)
    expect(fixture.transactions()).toBe(0)
  }

  test('of an unknown merchant or nonce', async () => {
    const signed = await sign()
    const nonce = otherAttempt(signed.nonce)
    await refused({ ...signed, nonce, merchantId: 'none' }, 'NOT_FOUND')
    await refused({ ...signed, nonce }, 'UNKNOWN_NONCE')
  })

  test.each<[string, Body]>([
    ['merchant', { merchantId: 'other' }],
    ['merchant, which does not exist', { merchantId: 'none' }],
    ['subtotal', { subtotal: { cents: 1001 } }],
    ['destination', { transactionData: { type: 'token', destination: alice.address } }],
  ])('whose nonce was prepared for another %s', async (_, change) => {
    await refused({ ...(await sign()), ...change }, 'INTENT_MISMATCH')
  })

  test('whose nonce was prepared for another part in USDC', async () => {
    const signed = await sign({ usdcAmount: { cents: 400 } })
    await refused({ ...signed, usdcAmount: { cents: 300 } }, 'INTENT_MISMATCH')
  })

  test('if only one of USDC amount and authorization is there', async () => {
    const signed = await sign({ usdcAmount: { cents: 400 } })
    const { permitCredits, ...usdc } = signed.signedMessages
    const { usdcAmount: _, ...creditsOnly } = signed as Body
    for (const [body, issue] of [
      [creditsOnly, 'usdcAmount'],
      [{ ...signed, signedMessages: { permitCredits } }, 'signedMessages.customerUsdcAuthDataV2'],
    ] as const) {
      const { status, body: answer } = await send(body)
      expect([status, answer.issues]).toEqual([400, [issue]])
    }
    expect(usdc).toHaveProperty('customerUsdcAuthDataV2')
    expect(fixture.transactions()).toBe(0)
  })

  test('without a sign-in where the service requires one', async () => {
    const signed = await sign()
    fixture.service.settings.requireSignIn = true
    await refused(signed, 'UNAUTHENTICATED')
  })

  test('if the call is not whitelisted, even if the permit is invalid too', async () => {
    const transactionData = normal({ to: shop, data: '0xa6f2ae3a' })
    const signed = await sign({ transactionData })
    fixture.base.state.isWhitelisted = false
    const permitCredits = `0x${'12'.repeat(65)}`
    await refused({ ...signed, signedMessages: { permitCredits } }, 'NOT_WHITELISTED')
  })

  test('if its wallet needs a factory that is not on the list', async () => {
    const signed = await sign()
    const wrapped = serializeErc6492Signature({
      address: shop,
      data: '0x12',
      signature: signed.signedMessages.permitCredits,
    })
    await refused({ ...signed, signedMessages: { permitCredits: wrapped } }, 'FACTORY_NOT_ALLOWED')
  })

  test('if USDC blocks the wallet', async () => {
    const signed = await sign()
    fixture.base.state.isBlocked = true
    await refused(signed, 'CUSTOMER_BLOCKED')
    fixture.base.state.hasProbe = false
    await refused(signed, 'CUSTOMER_BLOCKED')
  })

  test('while USDC is paused', async () => {
    const signed = await sign()
    fixture.base.state.isPaused = true
    fixture.base.state.simulate = () => {
      throw revertWith('EnforcedPause')
    }
    await refused(signed, 'UNAVAILABLE')
  })

  test('without the credits for subtotal and fee', async () => {
    const signed = await sign()
    fixture.base.state.credits = 9_999_999n + fee
    await refused(signed, 'INSUFFICIENT_CREDITS')
    fixture.base.state.credits = 10_000_000n + fee
    expect(await outcomeOf(signed)).toBe(hashOf(1))
  })

  test('once the permit has expired', async () => {
    const signed = await sign()
    fixture.setTime(Number(signed.validBefore) * 1000)
    await refused(signed, 'PERMIT_EXPIRED')
    fixture.setTime(Date.parse('2026-05-01T12:00:00Z'))
  })

  test('if the customer signed less than the fee of now', async () => {
    const signed = await sign()
    fixture.base.state.simulate = () => 2n * gas
    await refused(signed, 'EXCEEDS_AUTHORIZED')
  })

  test('with the permit of another key', async () => {
    const signed = await sign()
    const { permitCredits } = (await sign()).signedMessages
    fixture.base.state.simulate = () => {
      throw revertWith('EnforcedPause')
    }
    await refused({ ...signed, signedMessages: { permitCredits } }, 'INVALID_PERMIT')
  })

  test('while the node does not respond', async () => {
    const signed = await sign()
    fixture.base.state.isDown = true
    expect((await send(signed)).status).toBeGreaterThanOrEqual(500)
    expect(fixture.transactions()).toBe(0)
  })
})

describe('an order is paid once', () => {
  const order = (body: Body = {}, headers = {}) => sign({ purchaseId: 'order 1', ...body }, headers)

  test('a cancelled order is not paid', async () => {
    const signed = await order()
    fixture.base.state.orders.set(signed.nonce.slice(0, 26), { state: 2, nonce: signed.nonce })
    expect(await outcomeOf(signed)).toBe('ORDER_CANCELLED')
  })

  test('an order that another attempt paid is not paid again, on the same or another chain', async () => {
    const signed = await order()
    for (const chain of ['base', 'arbitrum'] as const) {
      const nonce = otherAttempt(signed.nonce)
      fixture[chain].state.orders.set(signed.nonce.slice(0, 26), { state: 1, nonce })
      expect((await send(signed)).body).toMatchObject({
        code: 'ORDER_ALREADY_PAID',
        details: {
          blockchain: chain,
          nonce,
          hash: thirdParty,
          fits: true,
          expected: '10000000',
          paid: '10000000',
        },
      })
      fixture[chain].state.orders.clear()
    }
    expect(fixture.transactions()).toBe(0)
  })

  test('another attempt is refused while the first may execute, and sent after it has ended', async () => {
    const first = await order()
    await send(first)
    const second = await order({ subtotal: { cents: 1100 } })
    expect(await outcomeOf(second)).toBe('ORDER_UNDERWAY')
    fixture.base.state.timestamp = BigInt(first.validBefore)
    fixture.setTime(Number(first.validBefore) * 1000)
    const third = await order({ subtotal: { cents: 1200 } })
    expect(await outcomeOf(third)).toBe(hashOf(2))
    expect(fixture.sent[1]).toMatchObject({ ended: { nonce: first.nonce } })
    expect(await (await fixture.service.database()).select().from(orderClaims)).toMatchObject([
      { nonce: third.nonce },
    ])
    fixture.setTime(Date.parse('2026-05-01T12:00:00Z'))
  })

  test('two attempts at once: one is sent', async () => {
    const both = [await order(), await order({ subtotal: { cents: 1100 } })]
    const outcomes = await Promise.all(both.map((one) => outcomeOf(one)))
    expect(outcomes.sort()).toEqual([hashOf(1), 'ORDER_UNDERWAY'])
    expect(fixture.transactions()).toBe(1)
  })

  test('what a third party relayed is answered with its hash, and recorded', async () => {
    const signed = await order()
    fixture.base.state.orders.set(signed.nonce.slice(0, 26), { state: 1, nonce: signed.nonce })
    expect(await outcomeOf(signed)).toBe(thirdParty)
    expect(await rows()).toMatchObject([
      { nonce: signed.nonce, status: 'redeemed', hash: thirdParty, attempt: 0, gasFee: fee },
    ])
    expect(await outcomeOf(signed)).toBe(thirdParty)
    expect(fixture.transactions()).toBe(0)
  })

  test('what a third party relayed with another credit seed is no payment of this order', async () => {
    const signed = await order()
    const used = { state: 1, nonce: signed.nonce, seed: 'other' } as const
    fixture.base.state.orders.set(signed.nonce.slice(0, 26), used)
    expect((await send(signed)).body).toMatchObject({ code: 'ORDER_ALREADY_PAID', details: { fits: false } })
    expect(await rows()).toEqual([])
  })

  describe('the order is used between the look-up and the simulation', () => {
    const meanwhile = (nonce: Hex) => {
      let simulations = 0
      fixture.base.state.simulate = () => {
        // The order is read with the first simulation.
        if (++simulations > 1) fixture.base.state.orders.set(nonce.slice(0, 26), { state: 1, nonce })
        throw revertWith('OrderUsed', [
          alice.address,
          nonce.slice(0, 26),
          1,
          concat([`0x${nonce.slice(26)}`]),
        ])
      }
    }

    test('by this attempt: its hash is the answer', async () => {
      const signed = await order()
      meanwhile(signed.nonce)
      expect(await outcomeOf(signed)).toBe(thirdParty)
    })

    test('by another attempt: the order is paid', async () => {
      const signed = await order()
      meanwhile(otherAttempt(signed.nonce))
      expect(await outcomeOf(signed)).toBe('ORDER_ALREADY_PAID')
    })
  })
})

describe('two redeems of a wallet at once', () => {
  test('are both sent if the credits are enough for both', async () => {
    const both = [await sign(), await sign()]
    expect((await Promise.all(both.map((one) => outcomeOf(one)))).sort()).toEqual([hashOf(1), hashOf(2)])
  })

  test('the second is refused if the first spends its credits', async () => {
    const both = [await sign(), await sign()]
    fixture.base.state.credits = 2n * (10_000_000n + fee) - 1n
    const outcomes = await Promise.all(both.map((one) => outcomeOf(one)))
    expect(outcomes.sort()).toEqual([hashOf(1), 'INSUFFICIENT_CREDITS'])
    expect(fixture.transactions()).toBe(1)
  })
})

describe('with random nonces', () => {
  beforeEach(() => fixture.reset('randomNonce'))

  test('a nonce belongs to the first redeem sent with it', async () => {
    const signed = await sign()
    const first = { ...signed, subtotal: { cents: 900 } }
    expect(await outcomeOf(first)).toBe(hashOf(1))
    expect(fixture.sent).toMatchObject([{ request: { intent: { amount: 9_000_000n } } }])
    expect((await send(signed)).body).toMatchObject({ details: expect.stringContaining('different redeem') })
    expect(await outcomeOf(first)).toBe(hashOf(1))
    expect(fixture.transactions()).toBe(1)
  })

  test('the contract has no orders that could be read', async () => {
    const signed = await sign()
    fixture.base.state.orders.set(signed.nonce.slice(0, 26), { state: 2, nonce: signed.nonce })
    expect(await outcomeOf(signed)).toBe(hashOf(1))
  })
})

describe('a wallet that is not deployed yet', () => {
  const permitCredits = serializeErc6492Signature({
    address: shop,
    data: '0x12345678',
    signature: `0x${'ab'.repeat(70)}`,
  })

  test('is deployed through a factory on the list before its redeem is sent', async () => {
    fixture.base.walletFactories.add(shop)
    const signed = await sign()
    expect(await outcomeOf({ ...signed, signedMessages: { permitCredits } })).toBe(hashOf(1))
    expect(fixture.others).toEqual([
      {
        reference: { kind: 'deploy', blockchain: 'base', wallet: alice.address, attempt: 1 },
        request: { to: shop, data: '0x12345678', gas: 1_250_000n },
      },
    ])
    expect(fixture.sent).toMatchObject([{ request: { permit: { signature: `0x${'ab'.repeat(70)}` } } }])
  })

  test('is not deployed for a redeem that would fail', async () => {
    fixture.base.walletFactories.add(shop)
    const signed = await sign()
    fixture.base.state.credits = 9_999_999n + fee
    expect(await outcomeOf({ ...signed, signedMessages: { permitCredits } })).toBe('INSUFFICIENT_CREDITS')
    expect(fixture.others).toEqual([])
  })
})
