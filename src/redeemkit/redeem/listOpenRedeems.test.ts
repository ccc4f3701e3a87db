import { afterEach, describe, expect, test } from 'vitest'
import { checkRedeem } from './checkRedeem.ts'
import { listOpenRedeems } from './listOpenRedeems.ts'
import type { PurchaseStorage } from './purchase/purchaseStorage.ts'
import { pinned as randomNoncePins, randomNonceService, shop, taggedNonce } from './randomNonce.fixture.ts'
import {
  chainId,
  countingSigner,
  fakeService,
  hash,
  now,
  nowSeconds,
  pinned,
  stranger,
  token,
  wallet,
} from './redeem.fixture.ts'
import { redeem } from './redeem.ts'

const request = { chainId, subtotal: { cents: 1000 }, transactionData: token, pinned }
const lost = () => new Response('', { status: 502 })

/** Creates storage that lists its keys by index, like `localStorage`. */
function localStorageOf(items = new Map<string, string>()) {
  return {
    items,
    get length() {
      return items.size
    },
    key: (index: number) => [...items.keys()][index] ?? null,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => {
      items.set(key, value)
    },
    removeItem: (key: string) => {
      items.delete(key)
    },
  }
}

/** Ends the redeems of closed pages. Otherwise they would keep their purchases' locks, even in other test files. */
let closed = new AbortController()
afterEach(() => {
  closed.abort()
  closed = new AbortController()
})

/** Closes a page while the wallet shows this prompt, counted from 1. */
async function closedAt(prompt: number, options: Partial<redeem.Options> & { storage: PurchaseStorage }) {
  const { client } = fakeService()
  const real = countingSigner()
  await new Promise<void>((resolve) => {
    const signer = {
      request: (call: { method: string; params?: unknown }) => {
        if (call.method !== 'eth_signTypedData_v4' || real.asked.length + 1 < prompt)
          return real.request(call)
        resolve()
        return new Promise<never>(() => {})
      },
    }
    redeem(client, { ...request, ...options, signer, signal: closed.signal }).catch(() => undefined)
  })
}

/** Submits a redeem whose response is lost, and returns its nonce. */
async function unanswered(options: Partial<redeem.Options> & { storage?: PurchaseStorage }) {
  const service = fakeService({ submit: lost })
  await redeem(service.client, { ...request, signer: countingSigner(), ...options }).catch(() => undefined)
  return service.received.sendGaslessTx[0]?.nonce
}

const { client } = fakeService()
const list = (storage: PurchaseStorage, options: Partial<listOpenRedeems.Options> = {}) =>
  listOpenRedeems(client, { storage, pinned, ...options })

describe('listOpenRedeems', () => {
  test('returns each purchase’s state, options, amount and start', async () => {
    const storage = localStorageOf()
    const paid = { usdcAmount: { cents: 400 } }
    await closedAt(1, { storage, purchaseId: 'order 1' })
    await closedAt(2, { storage, purchaseId: 'order 2', ...paid, now: () => now() + 1000 })
    const nonce = await unanswered({ storage, purchaseId: 'order 3', now: () => now() + 2000 })
    await redeem(client, { ...request, storage, purchaseId: 'order 4', signer: countingSigner() })
    const before = [...storage.items]
    const { open, unreadable } = await list(storage)
    const options = { wallet, chainId, subtotal: { cents: 1000 }, transactionData: token }
    const amounts = { amount: '10000000', usdcAmount: '0' }
    expect(open).toStrictEqual([
      { state: 'begun', options: { ...options, purchaseId: 'order 1' }, ...amounts, since: `${nowSeconds}` },
      {
        state: 'permitSigned',
        options: { ...options, ...paid, purchaseId: 'order 2' },
        amount: '10000000',
        usdcAmount: '4000000',
        since: `${nowSeconds + 1}`,
      },
      {
        state: 'signed',
        options: { ...options, purchaseId: 'order 3' },
        ...amounts,
        since: `${nowSeconds + 2}`,
        open: expect.objectContaining({ wallet, chainId, nonce, validBefore: `${nowSeconds + 600}` }),
      },
    ])
    expect(unreadable).toStrictEqual([])
    expect(JSON.stringify(open)).not.toMatch(/permitCredits|signed"?:/)
    expect([...storage.items]).toStrictEqual(before)
  })

  test('returns the oldest first, even if the storage lists it last', async () => {
    const storage = localStorageOf()
    await closedAt(1, { storage, purchaseId: 'newer', now: () => now() + 1000 })
    await closedAt(1, { storage, purchaseId: 'older' })
    const { open } = await list(storage)
    expect(open.map(({ options }) => options.purchaseId)).toEqual(['older', 'newer'])
  })

  test('a submitted redeem resumes without a wallet, with the listed options', async () => {
    const storage = localStorageOf()
    const nonce = await unanswered({ storage })
    const [found] = (await list(storage)).open
    if (found === undefined) throw new Error('Nothing is listed.')
    const signer = countingSigner()
    expect(await redeem(client, { ...found.options, pinned, storage, signer })).toMatchObject({ nonce, hash })
    expect(signer.asked).toStrictEqual([])
    expect((await list(storage)).open).toStrictEqual([])
  })

  test('a started redeem resumes with its own nonce', async () => {
    const storage = localStorageOf()
    // This purchase is never finished in this process, so no other test may use it.
    await closedAt(1, { storage, subtotal: { cents: 55 } })
    const [[, text = ''] = []] = storage.items
    const [found] = (await list(storage)).open
    const service = fakeService()
    // Another page began this purchase, and still waits for its wallet.
    const other = localStorageOf(storage.items)
    const from = localStorageOf(new Map(storage.items))
    await checkRedeem(service.client, { ...request, ...found?.options, storage: from })
    expect(service.received.creditsAuthMsg[0]?.salt).toBe(JSON.parse(text).salt)
    expect((await list(other)).open).toHaveLength(1)
  })

  test.each([
    ['merchant', {}, fakeService({ client: { merchantId: 'other' } }).client],
    ['wallet', { wallet: stranger }, client],
    ['seed', { pinned: { ...pinned, creditSeed: 'other' } }, client],
    ['contract', { pinned: { ...pinned, creditsContract: stranger } }, client],
    ['chain', { chainId: 8453 }, fakeService({ client: { environment: 'prod' } }).client],
    ['environment', {}, fakeService({ client: { environment: 'prod' } }).client],
  ])('omits purchases of another %s', async (_, options, other) => {
    const storage = localStorageOf()
    await unanswered({ storage })
    expect((await listOpenRedeems(other, { storage, pinned, ...options })).open).toStrictEqual([])
    expect((await list(storage)).open).toHaveLength(1)
  })

  test('without a wallet, returns the purchases of every wallet', async () => {
    const storage = localStorageOf()
    await unanswered({ storage })
    const nobody = fakeService({ client: { wallet: undefined } }).client
    expect((await listOpenRedeems(nobody, { storage, pinned })).open).toHaveLength(1)
  })

  test('reads the chain from the pins, which are required', async () => {
    const storage = localStorageOf()
    await unanswered({ storage })
    const { client: anywhere } = fakeService({ client: { environment: undefined } })
    const { open } = await listOpenRedeems(anywhere, { storage, pinned: { ...pinned, chainId } })
    expect(open).toHaveLength(1)
    await expect(listOpenRedeems(client, { storage } as never)).rejects.toMatchObject({ field: 'pinned' })
  })

  test('lists a purchase with a random nonce', async () => {
    const { client: own, buy, storage } = shop(randomNonceService({ submit: lost }))
    await expect(buy()).rejects.toMatchObject({ remedy: 'lookUp' })
    const { open } = await listOpenRedeems(own, {
      storage: { ...storage, keys: () => storage.kept.keys() },
      pinned: randomNoncePins,
    })
    expect(open).toMatchObject([{ state: 'signed', open: { nonce: taggedNonce, intentBound: false } }])
  })

  test('reads keys with keys(), and ignores a stored item named "keys"', async () => {
    const { length: _, key, ...rest } = localStorageOf()
    const own = { ...rest, keys: async () => rest.items.keys() }
    await unanswered({ storage: own })
    expect((await list(own)).open).toHaveLength(1)
    const item = Object.assign(localStorageOf(rest.items), { keys: 'a text' as never })
    expect((await list(item)).open).toHaveLength(1)
    for (const half of [rest, { ...rest, key }, { ...rest, length: 1 }])
      await expect(list(half)).rejects.toMatchObject({
        name: 'PurchaseStorageError',
        fix: 'Pass localStorage, or add keys() to the storage.',
      })
  })

  test('without storage, returns the purchases in memory', async () => {
    const nonce = await unanswered({ subtotal: { cents: 4321 } })
    const { open } = await listOpenRedeems(client, { pinned })
    expect(open.map((one) => one.open?.nonce)).toContain(nonce)
  })

  const changes: [string, (name: string, text: string) => [string, string]][] = [
    ['that is not JSON', (name) => [name, '{"ha']],
    ['that is null', (name) => [name, 'null']],
    ['of another version', (name, text) => [name, text.replace('"version":1', '"version":2')]],
    ['stored under another name', (name, text) => [`${name}0`, text]],
    ['of another wallet', (name, text) => [name, text.replaceAll(wallet, stranger)]],
    ['of another request', (name, text) => [name, text.replace('"cents":1000', '"cents":1')]],
    [
      'of another salt',
      (name, text) => [name, text.replaceAll(/(?<="salt":"0x)./g, (digit) => (digit === '0' ? '1' : '0'))],
    ],
  ]
  test.each(changes)('reports an item %s as unreadable, and lists the others', async (_, change) => {
    const storage = localStorageOf()
    await unanswered({ storage })
    const [[name = '', text = ''] = []] = storage.items
    storage.items.clear()
    storage.items.set(...change(name, text))
    await unanswered({ storage, subtotal: { cents: 777 } })
    storage.items.set('of the page', 'x')
    const { open, unreadable } = await list(storage)
    expect(open.map(({ amount }) => amount)).toStrictEqual(['7770000'])
    expect(unreadable).toStrictEqual([
      {
        name: expect.stringContaining(name),
        error: expect.objectContaining({
          name: 'PurchaseStorageError',
          field: 'storage',
          fix: expect.stringContaining('Check the wallet’s redeems on chain first'),
        }),
      },
    ])
  })

  test('a storage failure is reported with the failed operation', async () => {
    const storage = localStorageOf()
    await unanswered({ storage })
    const broken = {
      ...storage,
      key: storage.key,
      length: 1,
      getItem: () => Promise.reject(new Error('denied')),
    }
    await expect(list(broken)).rejects.toMatchObject({
      name: 'PurchaseStorageError',
      message: expect.stringMatching(
        /^The storage could not read redeemkit\.purchase\..*\n.*Allow access to the storage/s,
      ),
      field: 'storage',
    })
  })

  test('an abort ends the wait for storage that does not respond', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const silent = { ...localStorageOf(), keys: () => new Promise<never>(() => controller.abort()) }
    await expect(list(silent, { signal })).rejects.toMatchObject({
      name: 'RequestAbortedError',
      remedy: 'stop',
    })
  })

  test('omits a purchase that another page finishes in the meantime', async () => {
    const storage = localStorageOf()
    await unanswered({ storage })
    const emptied = { ...storage, key: storage.key, length: 1, getItem: () => null }
    expect(await list(emptied)).toStrictEqual({ open: [], unreadable: [] })
    const shortened = { ...storage, key: storage.key, length: 2 }
    expect((await list(shortened)).open).toHaveLength(1)
  })
})
