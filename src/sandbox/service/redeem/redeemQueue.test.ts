import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requestsOfBatch } from '../../contracts/creditsCalls.ts'
import type { Relayer } from '../../relayer/createRelayer.ts'
import type { DatabaseWork, JournalRow } from '../../store/database.ts'
import { openStore, type Store, toStore } from '../../store/openStore.ts'
import { intents, orderClaims, redeems, walletTurns } from '../../store/tables/index.ts'
import type { ReadyRedeem } from '../service.ts'
import { ChecksOutdated, createRedeemQueue } from './redeemQueue.ts'

const wallet = (index: number) => `0x${index.toString(16).padStart(40, '0')}` as const
const target = wallet(99)

/** Stand-ins for the service's accounts that send redeems. */
const relayers = [1, 2, 3]

type Wanted = { wallet: number; order: number; attempt: number; chainId?: number; shape?: string } & Partial<
  Pick<ReadyRedeem, 'gas' | 'turn' | 'gasFee'> & { maximum: bigint; times: number; bytes: number }
>

/** A token redeem that is ready to send. `times` is its attempt number in the journal, `bytes` the length of its call data. */
function ready(options: Wanted): ReadyRedeem {
  const {
    chainId = 8453,
    shape = 'token',
    gas = 100_000n,
    turn = 0,
    maximum = 1n,
    gasFee = 0n,
    times = 1,
    bytes = 0,
  } = options
  const customerWallet = wallet(options.wallet)
  const hex = (byte: number, bytes: number) => byte.toString(16).padStart(2, '0').repeat(bytes)
  const nonce = `0x${hex(0x80 + options.order, 12)}${hex(options.attempt, 20)}` as const
  const settlement = {
    kind: bytes === 0 ? 0 : 1,
    target,
    data: `0x${hex(1, bytes)}`,
    nftContract: wallet(0),
    nftId: 0n,
    bridge: { dstChainId: 0n, dstToken: wallet(0), isNative: false, cost: 0n },
  } as const
  const permit = {
    customerWallet,
    creditSeed: 'shop',
    amount: 1n,
    validBefore: 1_000n,
    nonce,
    signature: `0x${hex(1, 65)}` as const,
  }
  return {
    redeem: {
      chain: { blockchain: 'base', chainId, creditsContract: target, relayers },
      wallet: customerWallet,
      nonce,
      intent: { shape, settlement, settlementHash: nonce, amount: 1n, usdcAmount: 0n },
    },
    merchantId: 'shop',
    ended: undefined,
    request: {
      permit,
      intent: { amount: 1n, usdcAmount: 0n, salt: `0x${hex(2, 32)}` },
      settlement,
      usdcAuthorization: { method: 0, signature: '0x' },
      gasFee: 0n,
    },
    gas,
    gasFee,
    turn,
    attempt: times,
    price: { maximum, expected: 1n, priority: 1n, timestamp: 0n },
  } as unknown as ReadyRedeem // the queue reads no other field
}

let store: Store
const database = () => toStore(store).database
type Sent = Pick<Relayer.Request, 'account' | 'reference' | 'request' | 'price'>
let sent: Sent[]
/** Writes the rows that belong to a journal row, but no journal row. */
const send: Relayer['send'] = async ({ also, ...request }) => {
  const hash = hashOf(sent.length + 1)
  const row = { hash } as JournalRow // no other field is read
  await database().transaction((work: DatabaseWork) => also?.(work, row) ?? Promise.resolve())
  sent.push(request)
  return row
}
const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as const
const kinds = () => sent.map(({ reference }) => reference.kind)

beforeAll(async () => {
  store = await openStore()
})
beforeEach(async () => {
  sent = []
  for (const table of [redeems, orderClaims, walletTurns, intents]) await database().delete(table)
})
afterAll(() => store?.close())

/** Sends redeems that arrive concurrently. */
async function sendAll(wanted: readonly Wanted[], options: Partial<createRedeemQueue.Options> = {}) {
  const queue = createRedeemQueue({
    database: async () => database(),
    relayer: { send },
    now: () => 5_000,
    kind: 'intentBound',
    isShared: async () => false,
    ...options,
  })
  const outcomes = await Promise.allSettled(wanted.map((one) => queue.send(ready(one))))
  return outcomes.map((one) => (one.status === 'fulfilled' ? Number(one.value) : one.reason))
}
const two: Wanted[] = [
  { wallet: 1, order: 1, attempt: 1 },
  { wallet: 2, order: 2, attempt: 1 },
]
const outdated = expect.any(ChecksOutdated)

test('a batch never contains two attempts of one order, so the second is not sent', async () => {
  expect(
    await sendAll([
      { wallet: 1, order: 1, attempt: 1 },
      { wallet: 2, order: 2, attempt: 1 },
      { wallet: 2, order: 2, attempt: 2 },
      { wallet: 3, order: 2, attempt: 1 },
      { wallet: 1, order: 1, attempt: 2 },
    ]),
  ).toEqual([1, 1, outdated, 1, outdated])
  expect(kinds()).toEqual(['batch'])
  const items = requestsOfBatch(sent[0]?.request.data ?? '0x').map(({ permit }) => permit.customerWallet)
  expect(items).toEqual([wallet(1), wallet(2), wallet(3)])
})

test('a single redeem gets its own transaction, with a quarter more gas plus 20,000', async () => {
  expect(await sendAll([{ wallet: 1, order: 1, attempt: 1, gasFee: 7n }])).toEqual([1])
  const { nonce } = ready({ wallet: 1, order: 1, attempt: 1 }).redeem
  expect(sent).toMatchObject([
    {
      reference: { kind: 'redeem', blockchain: 'base', wallet: wallet(1), nonce, attempt: 1 },
      request: { to: target, gas: 145_000n },
    },
  ])
  const at = new Date(5_000)
  expect(await database().select().from(redeems)).toMatchObject([
    {
      wallet: wallet(1),
      nonce,
      status: 'sending',
      attempt: 1,
      hash: hashOf(1),
      gasFee: 7n,
      createdAt: at,
      updatedAt: at,
    },
  ])
})

test('a batch gets gas for its items, its bytes and a reserve, and the highest gas price of its items', async () => {
  await sendAll([
    { wallet: 1, order: 1, attempt: 1, gas: 100_000n, maximum: 5n },
    { wallet: 2, order: 2, attempt: 1, gas: 200_000n, maximum: 9n },
    { wallet: 3, order: 3, attempt: 1, gas: 100_000n, maximum: 7n },
  ])
  const [{ request, price } = { request: undefined, price: undefined }] = sent
  const items = 145_000n + 270_000n + 145_000n
  const bytes = BigInt(((request?.data.length ?? 0) - 2) / 2)
  expect(request?.gas).toBe(100_000n + 40n * bytes + (items * 66n) / 64n + 3n * 30_000n)
  expect(price?.maximum).toBe(9n)
})

test('each transaction prefers the next account but accepts any of them', async () => {
  for (const order of [1, 2, 3, 4]) await sendAll([{ wallet: 1, order, attempt: 1 }])
  const accounts = sent.map(({ account }) => account as unknown as number[]) // the test uses numbers as relayers
  const [first = 0] = accounts[0] ?? []
  const next = (one: number) => (one % 3) + 1
  expect(accounts.map(([one]) => one)).toEqual([first, next(first), next(next(first)), first])
  for (const all of accounts) expect([...all].sort()).toEqual(relayers)
})

test.each<[string, Wanted[], string[], Partial<createRedeemQueue.Options>]>([
  ['two', two, ['batch'], {}],
  // 464,000 * 5 / 4 + 20,000 = 600,000
  ['items of 600,000 gas', two.map((one) => ({ ...one, gas: 464_000n })), ['batch'], {}],
  ['items of more than 600,000 gas', two.map((one) => ({ ...one, gas: 464_001n })), ['redeem', 'redeem'], {}],
  ['decent redeems', two.map((one) => ({ ...one, shape: 'decent' })), ['redeem', 'redeem'], {}],
  [
    'one decent redeem among three',
    [{ wallet: 3, order: 3, attempt: 1, shape: 'decent' }, ...two],
    ['batch', 'redeem'],
    {},
  ],
  ['Tempo', two.map((one) => ({ ...one, chainId: 4217 })), ['redeem', 'redeem'], {}],
  ['random nonces', two, ['redeem', 'redeem'], { kind: 'randomNonce' }],
  [
    '17',
    Array.from({ length: 17 }, (_, at) => ({ wallet: at + 1, order: at + 1, attempt: 1 })),
    ['batch', 'redeem'],
    {},
  ],
])('the right transactions are sent for %s', async (_, wanted, expected, options) => {
  const outcomes = await sendAll(wanted, options)
  expect(outcomes.filter((one) => typeof one === 'number')).toHaveLength(wanted.length)
  expect(kinds()).toEqual(expected)
})

test('a redeem whose order another attempt has claimed is checked again, and the others are sent', async () => {
  await sendAll([{ wallet: 1, order: 1, attempt: 1 }])
  const late = { wallet: 1, order: 1, attempt: 2 }
  expect(await sendAll([late, ...two.slice(1), { wallet: 3, order: 3, attempt: 1 }])).toEqual([
    outdated,
    2,
    2,
  ])
})

test('a redeem with a random nonce claims no order, but owns the nonce', async () => {
  const [one] = two.map((wanted) => ready(wanted))
  if (one === undefined) throw new Error('There is no redeem.')
  const { wallet, nonce } = one.redeem
  const prepared = {
    blockchain: 'base',
    wallet,
    salt: '0x',
    blockNumber: 1n,
    createdAt: new Date(0),
  } as const
  const amounts = { settlementHash: '0x', amount: 9n, usdcAmount: 9n, merchantId: 'other' } as const
  const nonces = [nonce, hashOf(7)]
  await database()
    .insert(intents)
    .values(nonces.map((nonce) => ({ ...prepared, ...amounts, nonce })))
  await sendAll(two.slice(0, 1), { kind: 'randomNonce' })
  expect(await database().select().from(orderClaims)).toEqual([])
  const stored = await database().select().from(intents)
  expect(stored).toContainEqual(
    expect.objectContaining({ nonce, merchantId: 'shop', settlementHash: nonce, amount: 1n, usdcAmount: 0n }),
  )
  expect(stored).toContainEqual(expect.objectContaining({ nonce: hashOf(7), ...amounts }))
})

describe('a redeem that another process is sending', () => {
  beforeEach(async () => {
    await sendAll([{ wallet: 1, order: 1, attempt: 1 }])
    sent = []
  })

  test('is looked up again and not sent, while the rest of the group is sent', async () => {
    // The last redeem is of another wallet, with the nonce of the first.
    expect(await sendAll([...two, { wallet: 3, order: 1, attempt: 1 }])).toEqual([outdated, 1, 1])
    expect(kinds()).toEqual(['batch'])
    const rows = await database().select().from(redeems)
    expect(rows.map((row) => row.wallet).sort()).toEqual([1, 2, 3].map(wallet))
  })

  test('is sent again once it has reverted, as the next attempt', async () => {
    await database()
      .update(redeems)
      .set({ status: 'reverted', hash: hashOf(99) })
    expect(await sendAll([{ wallet: 1, order: 1, attempt: 1, times: 2, gasFee: 3n }])).toEqual([1])
    expect(await database().select().from(redeems)).toMatchObject([
      { status: 'sending', attempt: 2, hash: hashOf(1), gasFee: 3n, updatedAt: new Date(5_000) },
    ])
  })

  test('is looked up again if the journal already has a transaction with its nonce', async () => {
    const known = { hash: hashOf(99) } as JournalRow // no other field is read
    const relayer = { send: async () => known }
    expect(await sendAll(two.slice(0, 1), { relayer, kind: 'randomNonce' })).toEqual([outdated])
  })
})

test('a redeem is checked again if another process has sent one of the same wallet, and the others are sent', async () => {
  const shared = { isShared: async () => true }
  expect(await sendAll([{ ...two[0], turn: 3 } as Wanted], shared)).toEqual([1])
  expect(await database().select().from(walletTurns)).toMatchObject([{ wallet: wallet(1), turn: 4 }])
  const next = [
    { wallet: 2, order: 2, attempt: 1 },
    { wallet: 1, order: 3, attempt: 1, turn: 3 },
    { wallet: 3, order: 4, attempt: 1 },
  ]
  expect(await sendAll(next, shared)).toEqual([2, outdated, 2])
  expect(await sendAll([{ wallet: 1, order: 3, attempt: 1, turn: 4 }], shared)).toEqual([3])
})

test('each redeem of a group fails with its own reason', async () => {
  const broken = new Error('the database is full')
  expect(await sendAll(two, { relayer: { send: () => Promise.reject(broken) } })).toEqual([broken, broken])
})

describe('the gas limit of a transaction', () => {
  const gasOf = async (wanted: readonly Wanted[]) => {
    await sendAll(wanted)
    return sent.map(({ request }) => request.gas)
  }

  test('has a quarter of headroom', async () => {
    expect(await gasOf([{ wallet: 1, order: 1, attempt: 1, gas: 1_000_000n }])).toEqual([1_270_000n])
  })

  test('is at most what nodes accept, because a rejected transaction would block the nonce queue', async () => {
    expect(await gasOf([{ wallet: 1, order: 1, attempt: 1, gas: 14_000_000n }])).toEqual([16_777_216n])
  })

  test('is not below the estimate on a chain that accepts more', async () => {
    expect(await gasOf([{ wallet: 1, order: 1, attempt: 1, gas: 20_000_000n }])).toEqual([25_020_000n])
  })

  test('is at most what nodes accept for a full batch of large redeems', async () => {
    const orders = Array.from({ length: 16 }, (_, at) => ({ wallet: at + 1, order: at, attempt: 1 }))
    const [gas = 0n] = await gasOf(orders.map((one) => ({ ...one, gas: 460_000n, bytes: 3_500 })))
    expect(kinds()).toEqual(['batch'])
    expect(gas).toBeLessThan(16_777_216n)
  })
})

test('redeems with much call data are not batched, because some nodes reject transactions above 95,000 bytes', async () => {
  const orders = Array.from({ length: 16 }, (_, at) => ({ wallet: at + 1, order: at, attempt: 1 }))
  await sendAll(orders.map((one) => ({ ...one, bytes: 8_000 })))
  expect(Math.max(...sent.map(({ request }) => request.data.length / 2))).toBeLessThan(95_000)
})
