import {
  concat,
  encodeErrorResult,
  encodeEventTopics,
  type Hex,
  parseAbi,
  parseSignature,
  serializeErc6492Signature,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { normal } from '../../../redeemkit/evm/transactionData/builders.ts'
import { usdcAuthorizationTypedData } from '../../../redeemkit/evm/usdcAuthorization/usdcAuthorization.ts'
import { bridgeRequested } from '../../relayer/relayer.fixture.ts'
import { usdcMethods } from '../../simulation/redeemRequest.ts'
import { bridgeMessages, intents, orderClaims, redeems, transactions } from '../../store/tables/index.ts'
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
import { ChecksOutdated } from './redeemQueue.ts'

let fixture: Awaited<ReturnType<typeof redeemService>>
beforeAll(async () => {
  fixture = await redeemService()
})
beforeEach(() => fixture.reset())
afterAll(() => fixture?.close())

const erc721 = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 indexed id)'])
const text = parseAbi(['error Error(string)'])

type Body = { [field: string]: unknown; purchaseId?: string }

/** Prepares a redeem, and signs the permit and the USDC authorization. */
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
/** Returns the error code of a rejected redeem, or the hash of an accepted one. */
const outcomeOf = async (body: object, headers = {}) => {
  const { body: answer } = await send(body, headers)
  return answer.hash ?? answer.code
}
const rows = async () => (await fixture.service.database()).select().from(redeems)
const asked = (method: string) => fixture.base.state.asked.filter((one) => one === method).length
/** Journals a transaction of the operator. */
const journal = async (change: Pick<typeof transactions.$inferInsert, 'reference' | 'hash'>) => {
  const at = new Date(0)
  await (await fixture.service.database()).insert(transactions).values({
    chainId: fixture.base.chainId,
    sender: shop,
    nonce: 0,
    raw: '0x',
    status: 'broadcast',
    createdAt: at,
    updatedAt: at,
    ...change,
  })
}
/** Stores a redeem that another process has sent in the meantime. */
const sentElsewhere = async ({ nonce }: { nonce: Hex }) => {
  const at = new Date(0)
  const amounts = { amount: 10_000_000n, usdcAmount: 0n, gasFee: fee }
  const sent = { merchantId: 'shop', shape: 'token', status: 'sending', attempt: 1 } as const
  const key = { blockchain: 'base', wallet: alice.address, nonce, hash: hashOf(99) } as const
  await (await fixture.service.database())
    .insert(redeems)
    .values({ ...key, ...sent, ...amounts, createdAt: at, updatedAt: at })
}
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
          usdcAuthorization: {
            method: usdcMethods.receiveV2,
            signature: signed.signedMessages.customerUsdcAuthDataV2?.signature,
          },
        },
      },
    ])
  })

  test.each([
    ['intentBound', 'INVALID_USDC_AUTHORIZATION'],
    // Only the contract of this service kind can use the nonce.
    ['randomNonce', hashOf(1)],
  ] as const)(
    'on a service of kind %s leads to this result with a USDC authorization that anyone can execute: %s',
    async (kind, outcome) => {
      await fixture.reset(kind)
      const signed = await sign({ usdcAmount: { cents: 400 } })
      const { nonce, validBefore, signedMessages } = signed
      const { permitCredits } = signedMessages
      const { address: from } = alice
      const authorization = {
        from,
        to: fixture.base.creditsContract,
        value: 4_000_000n,
        validAfter: 0n,
        nonce,
      }
      const signature = await alice.signTypedData(
        usdcAuthorizationTypedData({
          chainId: fixture.base.chainId,
          type: 'TransferWithAuthorization',
          authorization: { ...authorization, validBefore: BigInt(validBefore) },
        }),
      )
      const texts = { ...authorization, value: '4000000', validAfter: '0', validBefore }
      const transfer = { permitCredits, customerUsdcAuthDataV2: { ...texts, signature } }
      expect(await outcomeOf({ ...signed, signedMessages: transfer })).toBe(outcome)
    },
  )

  test('is sent with a USDC authorization as v, r and s', async () => {
    const { signedMessages, ...signed } = await sign({ usdcAmount: { cents: 400 } })
    const { permitCredits, customerUsdcAuthDataV2 } = signedMessages
    const { signature, ...authorization } = customerUsdcAuthDataV2
    const { r, s, v } = parseSignature(signature)
    const customerUsdcAuthData = { ...authorization, v: Number(v), r, s }
    const body = { ...signed, signedMessages: { permitCredits, customerUsdcAuthData } }
    expect(await outcomeOf(body)).toBe(hashOf(1))
    expect(fixture.sent).toMatchObject([
      { request: { usdcAuthorization: { method: usdcMethods.receiveV1, signature } } },
    ])
  })

  test('needs one request to the node to read all state', async () => {
    const signed = await sign()
    fixture.base.state.asked.length = 0
    await send(signed)
    expect([asked('eth_call'), asked('eth_estimateGas')]).toEqual([1, 0])
  })

  test('is sent if USDC has neither a block list nor a pause', async () => {
    fixture.base.state.hasControls = false
    expect(await outcomeOf(await sign())).toBe(hashOf(1))
    fixture.base.usdc = undefined
    expect(await outcomeOf(await sign())).toBe(hashOf(2))
  })

  test('has the same nonce in upper and lower case', async () => {
    const signed = await sign()
    await send({ ...signed, nonce: signed.nonce.toUpperCase().replace('0X', '0x') })
    expect(await rows()).toMatchObject([{ nonce: signed.nonce }])
  })

  test.each([
    ['repeated', (one: object) => send(one).then(() => send(one))],
    [
      'sent twice concurrently',
      (one: object) => Promise.all([send(one), send(one)]).then(([, last]) => last),
    ],
  ])('that is %s gets one transaction', async (_, repeat) => {
    const signed = await sign()
    expect((await repeat(signed)).body).toEqual({ hash: hashOf(1) })
    expect(fixture.transactions()).toBe(1)
  })

  test('that is repeated after its permit has expired returns its hash and wakes the relayer', async () => {
    const signed = await sign()
    await send(signed)
    let woken = 0
    fixture.service.relayer.wake = () => woken++
    fixture.setTime(Number(signed.validBefore) * 1000)
    expect(await outcomeOf(signed)).toBe(hashOf(1))
    expect(woken).toBe(1)
    fixture.setTime(Date.parse('2026-05-01T12:00:00Z'))
  })

  test('is sent again as the next attempt once its transaction has reverted', async () => {
    const signed = await sign()
    await send(signed)
    await setRow({ status: 'reverted' })
    expect(await outcomeOf(signed)).toBe(hashOf(2))
    expect(await rows()).toMatchObject([{ attempt: 2, status: 'sending', hash: hashOf(2) }])
  })

  test('is rejected if it would fail again, and the reverted transaction is not returned', async () => {
    const signed = await sign()
    await send(signed)
    await setRow({ status: 'reverted' })
    fixture.base.state.simulate = () => {
      throw revertWith('InsufficientCredits', ['shop', alice.address, 1n, 2n])
    }
    expect(await outcomeOf(signed)).toBe('INSUFFICIENT_CREDITS')
    expect(fixture.transactions()).toBe(1)
  })

  test('is sent again as the next attempt while another redeem of the wallet is pending', async () => {
    const [signed, other] = [await sign(), await sign()]
    await send(signed)
    await setRow({ status: 'reverted' })
    await send(other)
    expect(await outcomeOf(signed)).toBe(hashOf(3))
    expect(fixture.sent.map(({ attempt }) => attempt)).toEqual([1, 1, 2])
  })
})

describe('a repeated request for a pending redeem', () => {
  const receipt = (status: 0 | 1) => ({ transactionHash: hashOf(1), status: `0x${status}`, logs: [] })
  /** The number of times that a test waited for a journal row. */
  let waited: number
  let signed: Awaited<ReturnType<typeof sign>>
  beforeEach(async () => {
    waited = 0
    fixture.service.relayer.wait = async () => {
      waited++
      await setRow({ status: 'reverted' })
      return undefined as never // not read
    }
    signed = await sign()
    await send(signed)
  })
  const inJournal = () => journal({ reference: { kind: 'whitelist', id: 'one' }, hash: hashOf(1) })

  test('sends the next attempt if its transaction has just reverted', async () => {
    await inJournal()
    fixture.base.state.receipt = receipt(0)
    expect(await outcomeOf(signed)).toBe(hashOf(2))
    expect([waited, fixture.transactions()]).toEqual([1, 2])
  })

  test.each<[string, () => unknown]>([
    ['is not in a block', () => {}],
    ['has just succeeded', () => Object.assign(fixture.base.state, { receipt: receipt(1) })],
    [
      'was a batch that reverted and whose redeems are sent alone',
      async () => {
        fixture.base.state.receipt = receipt(0)
        await setRow({ status: 'alone' })
      },
    ],
  ])('sends nothing if its transaction %s', async (_, change) => {
    await inJournal()
    await change()
    expect(await outcomeOf(signed)).toBe(hashOf(1))
    expect([waited, fixture.transactions()]).toEqual([0, 1])
  })

  test('sends nothing if the journal does not have its transaction', async () => {
    fixture.base.state.receipt = receipt(0)
    expect(await outcomeOf(signed)).toBe(hashOf(1))
  })

  test('sends nothing while the node does not respond, and reports this', async () => {
    const errors: unknown[] = []
    fixture.service.onError = (error) => errors.push(error)
    fixture.base.state.isDown = true
    expect(await outcomeOf(signed)).toBe(hashOf(1))
    expect(errors).toHaveLength(1)
  })
})

describe('a redeem is rejected, and nothing is sent,', () => {
  const refused = async (body: object, code: string, headers = {}) => {
    expect(await outcomeOf(body, headers)).toBe(code)
    expect(fixture.transactions()).toBe(0)
  }

  test('for an unknown merchant or nonce', async () => {
    const signed = await sign()
    const nonce = otherAttempt(signed.nonce)
    await refused({ ...signed, nonce, merchantId: 'none' }, 'NOT_FOUND')
    await refused({ ...signed, nonce }, 'UNKNOWN_NONCE')
  })

  test.each<[string, Body]>([
    ['merchant', { merchantId: 'other' }],
    ['merchant that does not exist', { merchantId: 'none' }],
    ['subtotal', { subtotal: { cents: 1001 } }],
    ['destination', { transactionData: { type: 'token', destination: alice.address } }],
  ])('if its nonce was prepared for another %s', async (_, change) => {
    await refused({ ...(await sign()), ...change }, 'INTENT_MISMATCH')
  })

  test('if its nonce was prepared for a different USDC part', async () => {
    const signed = await sign({ usdcAmount: { cents: 400 } })
    await refused({ ...signed, usdcAmount: { cents: 300 } }, 'INTENT_MISMATCH')
  })

  test('if it has only one of USDC amount and USDC authorization', async () => {
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

  test('without sign-in if the service requires it', async () => {
    const signed = await sign()
    fixture.service.settings.requireSignIn = true
    await refused(signed, 'UNAUTHENTICATED')
  })

  test('if the call is not whitelisted, even if the permit is also invalid', async () => {
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

  test('if its USDC authorization needs a factory that is not on the list', async () => {
    const { signedMessages, ...signed } = await sign({ usdcAmount: { cents: 400 } })
    const { permitCredits, customerUsdcAuthDataV2 } = signedMessages
    const { signature: inner } = customerUsdcAuthDataV2
    const signature = serializeErc6492Signature({ address: shop, data: '0x12', signature: inner })
    const wrapped = { permitCredits, customerUsdcAuthDataV2: { ...customerUsdcAuthDataV2, signature } }
    await refused({ ...signed, signedMessages: wrapped }, 'FACTORY_NOT_ALLOWED')
  })

  test('if the customer would not receive the purchased token', async () => {
    const signed = await sign({ transactionData: normal({ to: shop, data: '0xa6f2ae3a' }) })
    const { creditsContract } = fixture.base
    const parties = { from: zeroAddress, to: creditsContract, id: 7n }
    const topics = encodeEventTopics({ abi: erc721, eventName: 'Transfer', args: parties })
    fixture.base.state.events = [{ address: shop, topics, data: '0x' }]
    await refused(signed, 'SIMULATION_FAILED')
  })

  test('with the contract’s reason, even while USDC is paused', async () => {
    const signed = await sign()
    fixture.base.state.isPaused = true
    fixture.base.state.simulate = () => {
      throw revertWith('InsufficientCredits', ['shop', alice.address, 1n, 2n])
    }
    await refused(signed, 'INSUFFICIENT_CREDITS')
  })

  test('if USDC has blocked the wallet', async () => {
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

  test('without enough credits for subtotal and fee', async () => {
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

  test('if the permit does not cover the current fee, which the next message includes', async () => {
    const [signed, other] = [await sign(), await sign()]
    fixture.base.state.simulate = () => 2n * gas
    await refused(signed, 'EXCEEDS_AUTHORIZED')
    const stored = await (await fixture.service.database()).select().from(intents)
    const needed = new Map(stored.map(({ nonce, gasNeeded }) => [nonce, gasNeeded]))
    expect([needed.get(signed.nonce), needed.get(other.nonce)]).toEqual([2n * gas, null])
  })

  test('with a permit signed by another key', async () => {
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
    fixture.base.state.isDown = false
    fixture.base.state.simulate = () => {
      throw new Error('the node is overloaded')
    }
    await refused(signed, 'UNAVAILABLE')
  })
})

describe('an order is paid only once', () => {
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

  test('a second attempt is rejected while the first may execute, and sent after the first has ended', async () => {
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

  test('of two concurrent attempts, one is sent', async () => {
    const both = [await order(), await order({ subtotal: { cents: 1100 } })]
    const outcomes = await Promise.all(both.map((one) => outcomeOf(one)))
    expect(outcomes.sort()).toEqual([hashOf(1), 'ORDER_UNDERWAY'])
    expect(fixture.transactions()).toBe(1)
  })

  test('a redeem relayed by a third party returns its hash and is recorded', async () => {
    const signed = await order()
    fixture.base.state.orders.set(signed.nonce.slice(0, 26), { state: 1, nonce: signed.nonce })
    expect(await outcomeOf(signed)).toBe(thirdParty)
    expect(await rows()).toMatchObject([
      { nonce: signed.nonce, status: 'redeemed', hash: thirdParty, attempt: 0, gasFee: fee },
    ])
    fixture.base.state.isDown = true
    expect(await outcomeOf(signed)).toBe(thirdParty)
    expect(fixture.transactions()).toBe(0)
  })

  test('a redeem that a third party relayed with another credit seed does not pay this order', async () => {
    const signed = await order()
    const used = { state: 1, nonce: signed.nonce, seed: 'other' } as const
    fixture.base.state.orders.set(signed.nonce.slice(0, 26), used)
    const refusal = { code: 'ORDER_ALREADY_PAID', details: { fits: false } }
    expect((await send(signed)).body).toMatchObject(refusal)
    expect(await rows()).toEqual([])
    // The result is the same once the redeem is recorded as a payment to another merchant.
    await sentElsewhere(signed)
    await setRow({ merchantId: 'other', status: 'redeemed', attempt: 0, hash: thirdParty })
    expect((await send(signed)).body).toMatchObject(refusal)
  })

  test('a redeem relayed by a third party returns an error until its event is found', async () => {
    const signed = await order()
    // The contract emits no `Redeemed` event for a cancelled order.
    const used = { state: 2, nonce: signed.nonce } as const
    fixture.base.state.orders.set(signed.nonce.slice(0, 26), used)
    const { orders } = fixture.base.state
    const read = orders.get.bind(orders)
    orders.get = (key) => ({ ...used, ...read(key), state: 1 })
    expect(await outcomeOf(signed)).toBe('INTERNAL')
    expect(await rows()).toEqual([])
  })

  test('the bridge message of a redeem relayed by a third party is delivered; other contracts’ events are ignored', async () => {
    const transactionData = {
      type: 'decent',
      dstChainId: 421_614,
      dstToken: shop,
      contractAddress: shop,
      contractData: '0xa6f2ae3a',
      cost: { isNative: false, amount: '5' },
    }
    const signed = await order({ transactionData })
    let woken = 0
    fixture.service.relayer.wake = () => woken++
    const { nonce } = signed
    fixture.base.state.orders.set(nonce.slice(0, 26), { state: 1, nonce })
    fixture.base.state.receipt = {
      transactionHash: thirdParty,
      status: '0x1',
      logs: [
        { ...bridgeRequested({ nonce, id: hashOf(1) }), address: shop },
        { ...bridgeRequested({ nonce, id: hashOf(2) }), transactionHash: thirdParty },
      ],
    }
    expect(await outcomeOf(signed)).toBe(thirdParty)
    expect(await (await fixture.service.database()).select().from(bridgeMessages)).toMatchObject([
      {
        messageId: hashOf(2),
        sourceChainId: fixture.base.chainId,
        sourceHash: thirdParty,
        nonce,
        status: 'pending',
      },
    ])
    expect(woken).toBe(1)
  })

  describe('if the order is used between the look-up and the simulation', () => {
    const meanwhile = (nonce: Hex) => {
      let simulations = 0
      fixture.base.state.simulate = () => {
        // The first simulation reads the order too.
        if (++simulations > 1) fixture.base.state.orders.set(nonce.slice(0, 26), { state: 1, nonce })
        throw revertWith('OrderUsed', [
          alice.address,
          nonce.slice(0, 26),
          1,
          concat([`0x${nonce.slice(26)}`]),
        ])
      }
    }

    test('by this attempt, its hash is returned', async () => {
      const signed = await order()
      meanwhile(signed.nonce)
      expect(await outcomeOf(signed)).toBe(thirdParty)
    })

    test('by another attempt, the error says that the order is paid', async () => {
      const signed = await order()
      meanwhile(otherAttempt(signed.nonce))
      expect(await outcomeOf(signed)).toBe('ORDER_ALREADY_PAID')
    })
  })
})

describe('if another process sends a redeem of the wallet during the checks', () => {
  /** Lets the queue report this many times that the checks are outdated. */
  const outdated = (times: number, change = () => {}) => {
    const { redeemQueue } = fixture.service
    let tries = 0
    fixture.service.redeemQueue = {
      send: async (ready) => {
        if (++tries > times) return redeemQueue.send(ready)
        change()
        throw new ChecksOutdated([ready])
      },
    }
    return () => tries
  }

  test('the checks are repeated with the new state', async () => {
    const signed = await sign()
    outdated(1, () => (fixture.base.state.credits = 0n))
    expect(await outcomeOf(signed)).toBe('INSUFFICIENT_CREDITS')
    expect(fixture.transactions()).toBe(0)
  })

  test('the checks are repeated at most ten times', async () => {
    const signed = await sign()
    outdated(9)
    expect(await outcomeOf(signed)).toBe(hashOf(1))
    const other = await sign()
    const tries = outdated(10)
    expect([await outcomeOf(other), tries()]).toEqual(['UNAVAILABLE', 10])
  })

  test('other failures of the queue are not retried', async () => {
    const signed = await sign()
    let tries = 0
    fixture.service.redeemQueue = {
      send: () => {
        tries++
        return Promise.reject(new Error('the database is full'))
      },
    }
    expect([await outcomeOf(signed), tries]).toEqual(['INTERNAL', 1])
  })

  test('and it is the same redeem, its hash is returned, whether the checks passed or not', async () => {
    const [passed, refused] = [await sign(), await sign()]
    let writing = Promise.resolve()
    outdated(1, () => (writing = sentElsewhere(passed)))
    expect(await outcomeOf(passed)).toBe(hashOf(99))
    await writing
    fixture.base.state.simulate = () => {
      writing = sentElsewhere(refused)
      fixture.base.state.simulate = () => {
        throw revertWith('InsufficientCredits', ['shop', alice.address, 1n, 2n])
      }
      return fixture.base.state.simulate()
    }
    expect(await outcomeOf(refused)).toBe(hashOf(99))
    await writing
    expect(fixture.transactions()).toBe(0)
  })
})

test.each<[string, (pending: { nonce: Hex }) => void]>([
  ['the credits suffice for both', () => fixture.base.state.credits++],
  [
    'it has executed, so that the balance reflects it',
    ({ nonce }) => fixture.base.state.orders.set(nonce.slice(0, 26), { state: 1, nonce }),
  ],
])('a redeem is rejected if a pending redeem spends its credits, unless %s', async (_, change) => {
  const pending = await sign()
  await send(pending)
  const signed = await sign()
  fixture.base.state.credits = 2n * (10_000_000n + fee) - 1n
  expect(await outcomeOf(signed)).toBe('INSUFFICIENT_CREDITS')
  change(pending)
  expect(await outcomeOf(signed)).toBe(hashOf(2))
})

describe('two concurrent redeems of a wallet', () => {
  test('are both sent if the credits suffice for both', async () => {
    const both = [await sign(), await sign()]
    expect((await Promise.all(both.map((one) => outcomeOf(one)))).sort()).toEqual([hashOf(1), hashOf(2)])
  })

  test('are not both sent if the first spends the credits of the second', async () => {
    const both = [await sign(), await sign()]
    fixture.base.state.credits = 2n * (10_000_000n + fee) - 1n
    const outcomes = await Promise.all(both.map((one) => outcomeOf(one)))
    expect(outcomes.sort()).toEqual([hashOf(1), 'INSUFFICIENT_CREDITS'])
    expect(fixture.transactions()).toBe(1)
  })
})

describe('with random nonces', () => {
  beforeEach(() => fixture.reset('randomNonce'))

  test('a nonce belongs to the first redeem that is sent with it', async () => {
    const signed = await sign()
    const first = { ...signed, subtotal: { cents: 900 } }
    expect(await outcomeOf(first)).toBe(hashOf(1))
    expect(fixture.sent).toMatchObject([{ request: { intent: { amount: 9_000_000n } } }])
    for (const status of ['sending', 'redeemed'] as const) {
      await setRow({ status })
      for (const change of [{}, { ...first, merchantId: 'other' }, { ...first, merchantId: 'none' }])
        expect((await send({ ...signed, ...change })).body).toMatchObject({
          details: expect.stringContaining('different redeem'),
        })
    }
    expect(await outcomeOf(first)).toBe(hashOf(1))
    expect(fixture.transactions()).toBe(1)
  })

  test('the nonce of a reverted redeem belongs to the next redeem sent with it, whose terms are recorded', async () => {
    const signed = await sign()
    await send(signed)
    await setRow({ status: 'reverted' })
    expect(await outcomeOf({ ...signed, merchantId: 'other', subtotal: { cents: 900 } })).toBe(hashOf(2))
    expect(await rows()).toMatchObject([{ merchantId: 'other', amount: 9_000_000n, attempt: 2 }])
  })

  test('of two concurrent redeems with the same nonce, one is sent and the other is rejected', async () => {
    const signed = await sign()
    const both = [signed, { ...signed, subtotal: { cents: 900 } }]
    const answers = (await Promise.all(both.map((one) => send(one)))).map(({ body }) => body)
    expect(answers).toContainEqual({ hash: hashOf(1) })
    expect(answers).toContainEqual(
      expect.objectContaining({ details: expect.stringContaining('different redeem') }),
    )
    expect(fixture.transactions()).toBe(1)
  })

  test('an unknown nonce is rejected without a request to the contract, which has no orders', async () => {
    const signed = await sign()
    const { status, body } = await send({ ...signed, nonce: otherAttempt(signed.nonce) })
    expect([status, body.details]).toEqual([412, expect.stringContaining('did not issue this nonce')])
  })
})

describe('a wallet that is not deployed yet', () => {
  const permitCredits = serializeErc6492Signature({
    address: shop,
    data: '0x12345678',
    signature: `0x${'ab'.repeat(70)}`,
  })

  test('is deployed through an allowed factory before its redeem is sent', async () => {
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
    // Both simulations use the highest fee that the permit allows.
    const highest = BigInt(signed.creditsRawAmount) - 10_000_000n
    expect(fixture.base.state.simulated.slice(-2).map(({ gasFee }) => gasFee)).toEqual([highest, highest])
  })

  test('gets one journal entry per deployment', async () => {
    fixture.base.walletFactories.add(shop)
    const deployment = { kind: 'deploy', blockchain: 'base', wallet: alice.address } as const
    await journal({ reference: { ...deployment, attempt: 1 }, hash: hashOf(7) })
    const signed = await sign()
    await send({ ...signed, signedMessages: { permitCredits } })
    expect(fixture.others).toMatchObject([{ reference: { ...deployment, attempt: 2 } }])
  })

  test.each<[string, () => void, string]>([
    [
      'whose factory reverts',
      () => {
        const data = encodeErrorResult({ abi: text, errorName: 'Error', args: ['x'.repeat(300)] })
        fixture.base.state.deploy = () => {
          throw Object.assign(new Error('execution reverted'), { code: 3, data })
        }
      },
      `INVALID_PERMIT The wallet's factory reverted: ${'x'.repeat(200)}.`,
    ],
    [
      'that its factory does not deploy',
      () => {
        fixture.service.relayer.wait = async () => undefined as never // not read
      },
      'INVALID_PERMIT The factory call in the signature does not deploy this wallet.',
    ],
    [
      'while the node does not respond',
      () => {
        fixture.base.state.deploy = () => {
          throw new Error('the node is overloaded')
        }
      },
      'INTERNAL Internal error. Find it in the log by the request id.',
    ],
  ])('%s gets no redeem', async (_, change, refusal) => {
    fixture.base.walletFactories.add(shop)
    const signed = await sign()
    change()
    const { code, message } = (await send({ ...signed, signedMessages: { permitCredits } })).body
    expect(`${code} ${message}`).toBe(refusal)
    expect(fixture.sent).toEqual([])
  })

  test('is not deployed for a redeem that would fail', async () => {
    fixture.base.walletFactories.add(shop)
    const signed = await sign()
    fixture.base.state.credits = 9_999_999n + fee
    expect(await outcomeOf({ ...signed, signedMessages: { permitCredits } })).toBe('INSUFFICIENT_CREDITS')
    expect(fixture.others).toEqual([])
  })
})
