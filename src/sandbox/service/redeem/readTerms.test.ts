import { concat, type Hex, parseSignature, RpcRequestError, TimeoutError } from 'viem'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { normal } from '../../../redeemkit/evm/transactionData/builders.ts'
import type { TransactionData } from '../../../redeemkit/schema/transactionData.ts'
import type { Service } from '../service.ts'
import { alice, fakeCredits, fee, gas, now, revertWith, shop } from './fakeCredits.fixture.ts'
import { readTerms, unusedOrder } from './readTerms.ts'
import { hashIntent, resolveIntent } from './resolveIntent.ts'

const nonce: Hex = `0x${'8f'.repeat(32)}`
const salt: Hex = `0x${'5a'.repeat(32)}`
/** Only the format of the signature matters here. */
const signature = await alice.signMessage({ message: 'a permit' })

let chain: ReturnType<typeof fakeCredits>
let errors: unknown[]
beforeEach(() => {
  chain = fakeCredits()
  errors = []
})

type Change = {
  permitCredits?: Hex
  creditsRawAmount?: number
  usdcAmount?: number
  transactionData?: TransactionData
  kind?: Service['kind']
  gasFeePayer?: 'customer' | 'merchant'
  nonce?: Hex
}
/** Reads the terms of a redeem of 10 USD, with a permit for 10.30 USD. */
async function read(change: Change = {}) {
  const { kind = 'intentBound', gasFeePayer = 'customer', usdcAmount = 0 } = change
  const service = { kind, settings: { gasFeePayer }, onError: (error: unknown) => void errors.push(error) }
  const intent = resolveIntent(chain, {
    subtotal: { cents: 1000 },
    transactionData: change.transactionData ?? { type: 'token', destination: shop },
    ...(usdcAmount > 0 && { usdcAmount: { cents: usdcAmount } }),
  })
  // `readTerms` reads no other fields of the service.
  return readTerms(service as unknown as Service, {
    redeem: {
      chain,
      wallet: alice.address,
      nonce: change.nonce ?? nonce,
      intent: await hashIntent(chain, intent),
    },
    body: {
      signedMessages: { permitCredits: change.permitCredits ?? signature },
      creditsRawAmount: change.creditsRawAmount ?? 10_000_000 + Number(fee),
      validBefore: `${now + 60n}`,
    },
    salt,
    creditSeed: 'shop',
  })
}
const simulatedFees = () => chain.state.simulated.map(({ gasFee }) => gasFee)
const calls = (method: string) => chain.state.asked.filter((one) => one === method).length
const ownTerms = {
  permit: {
    customerWallet: alice.address,
    creditSeed: 'shop',
    amount: 10_000_000n + fee,
    validBefore: now + 60n,
    nonce,
  },
  order: unusedOrder,
  walletHasCode: false,
  credits: 1_000_000_000n,
}

test('all terms are read in one call, including a simulation with the highest fee that the permit allows', async () => {
  expect(await read()).toMatchObject({ ...ownTerms, price: { timestamp: now }, trial: { signature, gas } })
  expect([calls('eth_call'), calls('eth_estimateGas'), calls('eth_getCode')]).toEqual([1, 0, 0])
  expect(simulatedFees()).toEqual([fee])
})

test('concurrent redeems are read in one call', async () => {
  const other: Hex = `0x${'9f'.repeat(32)}`
  chain.state.orders.set(other.slice(0, 26), { state: 2, nonce: other })
  const [one, two] = await Promise.all([read(), read({ nonce: other })])
  expect(one.order).toEqual(unusedOrder)
  expect(two.order).toEqual({ state: 'cancelled', commitment: `0x${'9f'.repeat(20)}` })
  expect(calls('eth_call')).toBe(1)
})

test('17 concurrent redeems are read in two calls', async () => {
  await Promise.all(Array.from({ length: 17 }, () => read()))
  expect(calls('eth_call')).toBe(2)
})

test('the simulation has no fee if the merchant pays it', async () => {
  await read({ gasFeePayer: 'merchant' })
  expect(simulatedFees()).toEqual([0n])
})

test('a separate simulation explains a failure in the combined call', async () => {
  chain.state.simulate = () => {
    throw revertWith('EnforcedPause')
  }
  expect(await read()).toMatchObject({
    ...ownTerms,
    trial: { signature, error: { code: 'SIMULATION_FAILED' } },
  })
  expect(calls('eth_estimateGas')).toBe(1)
})

test('a revert with the text of a node failure is still a revert', async () => {
  const { data } = revertWith('EnforcedPause')
  const error = { code: 3, message: 'execution reverted: error sending request for url', data }
  chain.state.simulate = () => {
    throw new RpcRequestError({ body: {}, url: 'http://127.0.0.1:1', error })
  }
  expect(await read()).toMatchObject({ trial: { error: { code: 'SIMULATION_FAILED' } } })
})

test('the node estimates a redeem with a call, which may require more gas than it uses', async () => {
  const transactionData = normal({ to: shop, data: '0xa6f2ae3a' })
  expect(await read({ transactionData })).toMatchObject({ ...ownTerms, trial: { signature, gas } })
  expect([calls('eth_call'), calls('eth_estimateGas')]).toEqual([1, 1])
})

describe('runs no simulation before the signatures are checked', () => {
  const { r, s, yParity } = parseSignature(signature)
  const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const high: Hex = `0x${(curveOrder - BigInt(s)).toString(16).padStart(64, '0')}`
  test.each<[string, Change]>([
    ['if USDC is collected', { usdcAmount: 400 }],
    ['if the signature is a contract’s', { permitCredits: `0x${'ab'.repeat(70)}` }],
    [
      'if the signature is not in canonical form',
      {
        permitCredits: concat([r, high, yParity === 0 ? '0x1c' : '0x1b']),
      },
    ],
    ['if the signature is not a point', { permitCredits: `0x${'00'.repeat(64)}1b` }],
    ['if the permit does not cover the subtotal', { creditsRawAmount: 9_999_999 }],
  ])('%s', async (_, change) => {
    expect((await read(change)).trial).toBeUndefined()
    expect(simulatedFees()).toEqual([])
  })

  test('but does with a permit for exactly the subtotal', async () => {
    expect(await read({ creditsRawAmount: 10_000_000 })).toMatchObject({ trial: { gas } })
    expect(simulatedFees()).toEqual([0n])
  })
})

test('the same redeem does not query a node again that did not respond in time', async () => {
  chain.state.simulate = () => {
    throw new TimeoutError({ body: {}, url: 'http://127.0.0.1:1' })
  }
  await expect(read()).rejects.toThrow('The request took too long to respond.')
  expect([calls('eth_call'), calls('eth_estimateGas'), calls('eth_getCode')]).toEqual([1, 1, 0])
  chain.state.hasProbe = 'silent'
  await expect(read()).rejects.toThrow('The request took too long to respond.')
  expect([calls('eth_call'), calls('eth_estimateGas'), calls('eth_getCode')]).toEqual([2, 1, 0])
  expect(errors).toEqual([])
})

describe('a node without state overrides', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
    chain.state.hasProbe = false
  })
  afterEach(() => void vi.useRealTimers())

  test('is reported once per ten seconds, and each value is read separately', async () => {
    chain.state.walletCode = '0x60'
    const terms = { ...ownTerms, walletHasCode: true, price: { timestamp: now }, trial: { signature, gas } }
    expect(await read()).toMatchObject(terms)
    expect(errors).toMatchObject([{ name: 'ChainReadError' }])
    vi.advanceTimersByTime(9_999)
    expect(await read()).toMatchObject(terms)
    expect(errors).toHaveLength(1)
    vi.advanceTimersByTime(1)
    chain.state.hasProbe = true
    const before = calls('eth_getCode')
    expect(await read()).toMatchObject(terms)
    expect(calls('eth_getCode')).toBe(before)
  })

  test('still returns the state of the order', async () => {
    chain.state.orders.set(nonce.slice(0, 26), { state: 2, nonce })
    expect(await read()).toMatchObject({ order: { state: 'cancelled' } })
  })
})

test('order states are not read from a contract with random nonces', async () => {
  chain.state.orders.set(nonce.slice(0, 26), { state: 2, nonce })
  expect(await read({ kind: 'randomNonce' })).toMatchObject({ ...ownTerms, trial: { signature, gas } })
  expect([calls('eth_estimateGas'), calls('eth_getCode')]).toEqual([1, 1])
})
