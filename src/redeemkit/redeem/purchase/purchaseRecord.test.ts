import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { EvmClient } from '../../evm/client.ts'
import { readPurchaseTerms } from '../check/prepareTerms.ts'
import { prepareRedeem } from '../prepareRedeem.ts'
import {
  account,
  chainId,
  fakeChain,
  fakeService,
  hash,
  now,
  nowSeconds,
  pinned,
  random,
  redeemedLog,
  stranger,
  token,
  wallet,
} from '../redeem.fixture.ts'
import { signRedeem } from '../signRedeem.ts'
import { mayHoldPurchase } from './mayHoldPurchase.ts'
import { type PurchaseRecord, parsePurchaseRecord, purchaseName, purchaseOf } from './purchaseRecord.ts'
import { checkPurchaseOptions } from './purchaseStorage.ts'
import { usableRecord } from './usableRecord.ts'

const request = { subtotal: { cents: 1000 }, transactionData: token }
const salt = `0x${'11'.repeat(32)}` as const
const nonceOf = (orderKey: string, end = '0b'.repeat(20)) => `${orderKey}${end}` as const

/** Creates a purchase whose permit was signed, and returns its record and storage key. */
async function stored(purchaseId?: string) {
  const { client } = fakeService({ client: { now } })
  const asked = { ...request, wallet, pinned, purchaseId, random }
  const prepared = await prepareRedeem(client, asked)
  const { orderKey, salt } = prepared
  const purchase = purchaseOf(readPurchaseTerms(client, asked))
  const signed = await signRedeem(account, { prepared, request, now })
  const record: PurchaseRecord = { version: 1, purchase, orderKey, salt, signed }
  return { record, name: purchaseName(purchase) }
}
const read = (record: unknown, name: string) => parsePurchaseRecord(JSON.stringify(record), name)

test.each([undefined, 'order 1'])('reads a stored purchase with the order id %s', async (purchaseId) => {
  const { record, name } = await stored(purchaseId)
  const finished = { ...record, hash, nonce: record.signed?.prepared.answer.nonce, openUntil: '1800000000' }
  for (const one of [record, finished]) expect(read(one, name)).toEqual(JSON.parse(JSON.stringify(one)))
})

type Change = (record: PurchaseRecord) => object
/** Changes the prepared redeem in the record. */
const inPrepared =
  (change: object): Change =>
  ({ signed }) => ({ signed: { ...signed, prepared: { ...signed?.prepared, ...change } } })
const inAnswer =
  (change: object): Change =>
  (record) =>
    inPrepared({ answer: { ...record.signed?.prepared.answer, ...change } })(record)

test.each<[string, Change]>([
  ['another version', () => ({ version: 2 })],
  ['no purchase', () => ({ purchase: null })],
  ['a purchase as text', () => ({ purchase: 'x' })],
  ['another order', ({ purchase }) => ({ purchase: { ...purchase, purchaseId: 'order 2' } })],
  ['another merchant', ({ purchase }) => ({ purchase: { ...purchase, merchantId: 'other' } })],
  [
    'another amount',
    ({ purchase }) => ({
      purchase: { ...purchase, request: { ...purchase.request, subtotal: { cents: 1001 } } },
    }),
  ],
  ['another wallet', ({ purchase }) => ({ purchase: { ...purchase, wallet: stranger } })],
  ['another chain', ({ purchase }) => ({ purchase: { ...purchase, chainId: 8453 } })],
  ['another contract', ({ purchase }) => ({ purchase: { ...purchase, creditsContract: stranger } })],
  ['a short order key', ({ orderKey }) => ({ orderKey: orderKey.slice(0, -2) })],
  ['a long order key', ({ orderKey }) => ({ orderKey: `${orderKey}00` })],
  ['another order key', () => ({ orderKey: `0x${'80'.repeat(12)}` })],
  [
    'another order key, also in the signed redeem',
    (record) => ({
      orderKey: `0x${'80'.repeat(12)}`,
      ...inPrepared({ orderKey: `0x${'80'.repeat(12)}` })(record),
    }),
  ],
  ...['x'.repeat(66), `x0x${'1'.repeat(63)}`, `0x${'1'.repeat(63)}x`].map((salt): [string, Change] => [
    `the salt ${salt}`,
    () => ({ salt }),
  ]),
  ['another order key, and no permit', () => ({ orderKey: `0x${'80'.repeat(12)}`, signed: undefined })],
  ['terms that cannot be redeemed', ({ purchase }) => ({ purchase: { ...purchase, request: {} } })],
  ['another salt', () => ({ salt })],
  ['another salt, also in the signed redeem', (record) => ({ salt, ...inPrepared({ salt })(record) })],
  ['no bridge adapter', () => ({ bridgeAdapter: '0x12' })],
  ['an invalid hash', ({ orderKey }) => ({ hash: '0x12', nonce: nonceOf(orderKey) })],
  ['a hash without a nonce', () => ({ hash })],
  ['the nonce of another order', () => ({ hash, nonce: nonceOf(`0x${'80'.repeat(12)}`) })],
  ['an invalid reported hash', () => ({ answered: '0x12' })],
  ...['soon', '1x', 'x1', 7].map((openUntil): [string, Change] => [
    `the end ${JSON.stringify(openUntil)}`,
    () => ({ openUntil }),
  ]),
  ['a permit of another wallet', inPrepared({ wallet: stranger })],
  ['a permit of another chain', inPrepared({ chainId: 8453 })],
  ['a permit of another contract', inPrepared({ pinned: { creditsContract: stranger } })],
  ['a permit of another order', inPrepared({ orderKey: `0x${'80'.repeat(12)}` })],
  ['a permit of another salt', inPrepared({ salt })],
  ['a permit of another nonce', inAnswer({ nonce: nonceOf(`0x${'80'.repeat(12)}`) })],
  ['a permit without a nonce', inAnswer({ nonce: undefined })],
  ['a permit without an expiry', inAnswer({ validBefore: 'soon' })],
])('a record with %s is an error, because it may belong to a payment', async (_, change) => {
  const { record, name } = await stored('order 1')
  expect(() => read({ ...record, ...change(record) }, name)).toThrow(
    expect.objectContaining({ name: 'PurchaseStorageError', field: 'storage' }),
  )
})

test('the record of another purchase causes an error, even with random nonces', async () => {
  const { record, name } = await stored('order 1')
  const other = purchaseName({ ...record.purchase, purchaseId: 'order 2' })
  const text = JSON.stringify(record)
  for (const randomNonce of [false, true]) {
    expect(parsePurchaseRecord(text, name, { randomNonce })).toEqual(JSON.parse(text))
    expect(() => parsePurchaseRecord(text, other, { randomNonce })).toThrow(
      expect.objectContaining({ name: 'PurchaseStorageError' }),
    )
  }
})

// If the keys changed, a new version would not find stored payments, and would pay again.
test.each([
  ['order 1', 'redeemkit.purchase.e5d02b16dc684e99db551fc7c96d7d74'],
  [undefined, 'redeemkit.purchase.c7d2c4b70436a710a380dae5c308d008'],
])('a purchase has the same storage key in every version: %s', async (purchaseId, name) => {
  expect((await stored(purchaseId)).name).toBe(name)
})

test('text that is not a record is an error', () => {
  for (const text of ['', '{', 'null', '7', '[]'])
    expect(() => parsePurchaseRecord(text, 'name')).toThrow(
      expect.objectContaining({ name: 'PurchaseStorageError' }),
    )
})

test('without an order id, a change of any term makes it another purchase', async () => {
  const { record, name } = await stored()
  const { purchase } = record
  const others = [
    { ...purchase, merchantId: 'other' },
    { ...purchase, wallet: stranger },
    { ...purchase, chainId: 8453 },
    { ...purchase, creditsContract: stranger },
    { ...purchase, creditSeed: 'other' },
    { ...purchase, request: { ...purchase.request, usdcAmount: { cents: 1 } } },
  ].map(purchaseName)
  expect(new Set([name, ...others]).size).toBe(7)
})

describe('a record, if the order is requested with other terms,', () => {
  const otherChainId = 11155111
  type Terms = Parameters<typeof readPurchaseTerms>[1]
  const termsOf = (change: Partial<Terms>) => {
    const { client } = fakeService({ client: { now, blockchain: change.chainId ? 'eth' : 'base' } })
    return readPurchaseTerms(client, {
      ...request,
      wallet,
      pinned,
      chainId,
      purchaseId: 'order 1',
      ...change,
    })
  }
  const dearer = { subtotal: { cents: 1001 } }
  /** Unix seconds at which the permit expires. */
  const end = nowSeconds + 600

  async function use(
    change: Partial<Terms>,
    options: Parameters<typeof usableRecord>[2] = {},
    stores: (record: PurchaseRecord) => object = () => ({}),
  ) {
    const { record } = await stored('order 1')
    return usableRecord({ ...record, ...stores(record) }, termsOf(change), { now, ...options })
  }
  /** Redeems the record's attempt on its chain. */
  const redeemed = async (change: Parameters<typeof redeemedLog>[0] = {}) => {
    const { record } = await stored('order 1')
    const nonce = record.signed?.prepared.answer.nonce as Hex
    const log = redeemedLog({ nonce, kind: 0, refunded: 0n, usdcAmount: 0n, ...change })
    return fakeChain({ orderState: 1, logs: [log] })
  }

  test('is resumed if the terms are in fact the same', async () => {
    expect(await use({})).toMatchObject({ version: 1 })
  })

  test('is dropped if nothing was signed', async () => {
    expect(await use(dearer, {}, () => ({ signed: undefined }))).toBeUndefined()
  })

  test('is dropped if nothing was signed, and the bridge adapter changed', async () => {
    const bridgeAdapter = stranger
    expect(await use({}, {}, () => ({ signed: undefined, bridgeAdapter }))).toBeUndefined()
    expect(await use({}, {}, () => ({ bridgeAdapter }))).toMatchObject({ bridgeAdapter })
  })

  test.each<[string, Partial<Terms>, number, boolean]>([
    ['prevents another price for ten minutes after the permit expired', dearer, 600, true],
    ['allows another price a second later', dearer, 601, false],
    ['prevents another wallet', { wallet: stranger }, 9_999, true],
    ['prevents another chain', { chainId: otherChainId }, 9_999, true],
    ['prevents another contract', { pinned: { ...pinned, creditsContract: stranger } }, 9_999, true],
    ['prevents random nonces', { ...dearer, pinned: { ...pinned, intentBound: false } }, 9_999, true],
  ])('%s, without a node', async (_, change, after, kept) => {
    const using = use(change, { now: () => (end + after) * 1000 })
    if (kept)
      await expect(using).rejects.toMatchObject({
        name: 'PurchaseMismatchError',
        shortMessage: expect.stringContaining('may execute until 2027-01-15T08:10:00.000Z'),
      })
    else expect(await using).toBeUndefined()
  })

  test('is kept if its nonce is random, because no node knows its state', async () => {
    const { record } = await stored('order 1')
    const { signed } = record
    const random = { signed: { ...signed, prepared: { ...signed?.prepared, intentBound: false } } }
    const publicClient = fakeChain({ timestamp: BigInt(end) })
    await expect(use(dearer, { publicClient }, () => random)).rejects.toMatchObject({
      name: 'PurchaseMismatchError',
    })
  })

  test.each([
    ['without a node', undefined],
    ['with a node that no longer knows the payment', fakeChain()],
  ])('is kept %s if its purchase is finished', async (_, publicClient) => {
    const finished = (record: PurchaseRecord) => ({
      signed: undefined,
      hash,
      nonce: record.signed?.prepared.answer.nonce,
    })
    await expect(use(dearer, { publicClient }, finished)).rejects.toThrow(
      /was started with another request.subtotal\. That payment by 0xf39F\w+ on Base Sepolia is finished\./,
    )
  })

  test.each<[string, Parameters<typeof fakeChain>[0], boolean]>([
    ['can still execute for a second', { timestamp: BigInt(end - 1) }, true],
    ['has expired', { timestamp: BigInt(end) }, false],
    ['was cancelled', { orderState: 2 }, false],
  ])("decides about another wallet's payment if the first wallet’s permit %s", async (_, change, kept) => {
    const using = use({ wallet: stranger }, { publicClient: fakeChain(change) })
    if (kept) await expect(using).rejects.toMatchObject({ name: 'PurchaseMismatchError', field: 'wallet' })
    else expect(await using).toBeUndefined()
  })

  test.each<[string, Parameters<typeof fakeChain>[0], number, boolean]>([
    ['that has expired', { timestamp: BigInt(end) }, 3, false],
    ['that has expired', { timestamp: BigInt(end) }, 2_000, true],
    ['that was cancelled', { orderState: 2 }, 3, false],
    ['that was cancelled', { orderState: 2 }, 2_000, true],
  ])(
    'with a permit %s prevents another wallet’s payment until that state has enough confirmations: %o, %i',
    async (_, change, confirmations, kept) => {
      const using = use({ wallet: stranger }, { publicClient: fakeChain(change), confirmations })
      if (kept) await expect(using).rejects.toMatchObject({ name: 'PurchaseMismatchError', field: 'wallet' })
      else expect(await using).toBeUndefined()
    },
  )

  test('is dropped if it was redeemed, cancelled or expired on the same contract, which the check before signing reads', async () => {
    for (const publicClient of [
      await redeemed(),
      fakeChain({ orderState: 2 }),
      fakeChain({ timestamp: BigInt(end) }),
    ])
      expect(await use(dearer, { publicClient, confirmations: 2_000 })).toBeUndefined()
  })

  test('is reported as paid if another wallet paid', async () => {
    const publicClient = await redeemed()
    const expected = { name: 'AlreadyRedeemedError', field: 'wallet', paidBy: wallet }
    await expect(use({ wallet: stranger }, { publicClient })).rejects.toMatchObject(expected)
    // Without the event, the attempt may have paid for something else.
    publicClient.state.logs = []
    await expect(use({ wallet: stranger, ...dearer }, { publicClient })).rejects.toMatchObject({
      name: 'ChainReadError',
    })
  })

  test('is reported as used if another wallet made a different payment', async () => {
    const publicClient = await redeemed({ amount: 1n })
    await expect(use({ wallet: stranger, ...dearer }, { publicClient })).rejects.toMatchObject({
      name: 'OrderUsedError',
      paid: 1n,
    })
  })

  test('is read on its own chain', async () => {
    const publicClient = await redeemed()
    const unread = { request: () => expect.unreachable('this is not the record’s chain') }
    const otherChains = [
      { chainId: 1, publicClient: unread, creditsContract: pinned.creditsContract },
      { chainId, publicClient, creditsContract: pinned.creditsContract },
    ]
    await expect(use({ chainId: otherChainId }, { publicClient: unread, otherChains })).rejects.toMatchObject(
      { name: 'AlreadyRedeemedError', field: 'chainId', paidBy: undefined },
    )
  })

  test('is kept if its node fails; an abort and a node on another chain have their own errors', async () => {
    const down = { request: () => Promise.reject(new Error('down')) }
    const using = (publicClient: EvmClient, signal?: AbortSignal) =>
      use({ wallet: stranger }, { publicClient, signal })
    await expect(using(down)).rejects.toMatchObject({ name: 'PurchaseMismatchError' })
    await expect(using({ request: async () => '0x1' })).rejects.toMatchObject({ name: 'WrongNetworkError' })
    await expect(using(fakeChain(), AbortSignal.abort())).rejects.toMatchObject({
      name: 'RequestAbortedError',
      remedy: 'stop',
    })
  })
})

describe('the terms of a purchase', () => {
  const { client, received } = fakeService()
  const publicClient = fakeChain()
  const cost = { isNative: true, amount: '1' } as const
  const decent = {
    type: 'decent',
    dstChainId: 11155420,
    dstToken: `0x${'00'.repeat(20)}`,
    contractAddress: stranger,
    contractData: '0x12',
    cost,
  } as const
  type Terms = Parameters<typeof readPurchaseTerms>[1]
  const read = (change: Partial<Terms>) =>
    readPurchaseTerms(client, { ...request, wallet, pinned, ...change })

  test('need a bridge adapter, unless a node can read it', () => {
    expect(read({ transactionData: decent, publicClient })).toMatchObject({ chainId })
    expect(() => read({ transactionData: decent })).toThrow(
      expect.objectContaining({ name: 'MissingFieldError', field: 'bridgeAdapter' }),
    )
    const known = { ...pinned, bridgeAdapter: stranger }
    expect(read({ transactionData: decent, pinned: known })).toMatchObject({ bridgeAdapter: stranger })
  })

  test('cause an error before any request if they cannot be redeemed', () => {
    const zero = { usdcAmount: { cents: 1001 } }
    for (const change of [zero, { ...zero, publicClient }])
      expect(() => read(change)).toThrow(expect.objectContaining({ field: 'usdcAmount' }))
    expect(received.creditsAuthMsg).toEqual([])
  })

  test.each(['getItem', 'setItem', 'removeItem'])('need storage with %s', (name) => {
    const storage = { getItem: () => null, setItem: () => {}, removeItem: () => {} }
    expect(() => checkPurchaseOptions({ pinned, storage })).not.toThrow()
    for (const broken of [
      { ...storage, [name]: undefined },
      { ...storage, [name]: 'x' },
    ])
      expect(() => checkPurchaseOptions({ pinned, storage: broken as never })).toThrow(
        expect.objectContaining({ name: 'InvalidOptionError', field: 'storage' }),
      )
  })
})

test.each<[string, mayHoldPurchase.Storage | undefined, boolean]>([
  ['no storage', undefined, true],
  ['storage that lists no keys', {}, true],
  ['storage whose list fails', { keys: () => Promise.reject(new Error('denied')) }, true],
  ['an empty storage', { keys: () => [] }, false],
  ['other items', { keys: async () => ['theme', 'my.redeemkit.purchase.'] }, false],
  ['other items and a purchase', { keys: async () => ['theme', 'redeemkit.purchase.12'] }, true],
])('a page with %s may hold a purchase: %s', async (_, storage, mayHold) => {
  expect(await mayHoldPurchase(storage)).toBe(mayHold)
})
