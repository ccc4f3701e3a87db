// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { userMessage } from '../core/userMessage/userMessage.ts'
import { english } from '../core/userMessage/userMessages.ts'
import { prepareRedeem } from './actions/prepareRedeem.ts'
import { redeem } from './actions/redeem.ts'
import { createRedeemkit } from './createRedeemkit.ts'
import { storageOf } from './kit.ts'
import { otherChainsOf } from './readKit.ts'
import { world } from './wagmi.fixture.ts'

afterEach(() => vi.unstubAllGlobals())

const creditsContract = '0x00000000000000000000000000000000000000C1'
const formerContracts = ['0x00000000000000000000000000000000000000C2'] as const
const pin = { creditsContract, creditSeed: 'my-shop', formerContracts } as const

test('the order is read on every pinned chain of the config, except its own chain and chains with random nonces', () => {
  const { config, kit } = world()
  const pins = [
    ...kit.pins,
    { ...pin, chainId: 11155111 },
    { ...pin, chainId: 80002 }, // not in the config
  ]
  const found = otherChainsOf(config, { ...kit, pins }, 84532)
  const publicClient = { chain: { id: 11155111 } }
  expect(found).toMatchObject([{ chainId: 11155111, creditsContract, formerContracts, publicClient }])
  const random = [{ ...pin, chainId: 11155111, intentBound: false }]
  expect(otherChainsOf(config, { ...kit, pins: random }, 84532)).toEqual([])
})

test('a pinned chain that the config lacks is a configuration error, reported before any request', async () => {
  const { config, kit, connect, asked } = world()
  await connect()
  const request = {
    kit: { ...kit, pins: [{ ...pin, chainId: 80002 }] },
    chainId: 80002,
    subtotal: { cents: 1000 },
    transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
  } as const
  for (const work of [redeem, prepareRedeem]) {
    const error: unknown = await work(config, request).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'InvalidOptionError', field: 'chainId' })
    expect(userMessage(error)).toBe(english.page)
  }
  expect(asked).not.toContain('wallet eth_signTypedData_v4')
})

test('a check reads the order on the other pinned chains', async () => {
  const { config, kit, connect } = world()
  await connect()
  const pins = [...kit.pins, { ...pin, chainId: 11155111 }]
  const checked = await prepareRedeem(config, {
    kit: { ...kit, pins },
    chainId: 84532,
    purchaseId: 'order 7',
    subtotal: { cents: 1000 },
    transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
  })
  // The fixture's node is always on Base Sepolia.
  expect('elsewhere' in checked && checked.elsewhere?.map(({ code }) => code)).toEqual([
    'ORDER_NOT_READ',
    'ORDER_NOT_READ',
  ])
})

const pins = [
  { chainId: 8453, creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', creditSeed: 'my-shop' },
] as const
const storage = () =>
  storageOf(createRedeemkit({ baseUrl: 'https://service.example', merchantId: 'shop', pins }))

test('a page stores purchases in its localStorage, and can list their keys', async () => {
  // Since version 25, Node has its own localStorage, which Vitest does not replace with the page's.
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    get length() {
      return kept.size
    },
    key: (at: number) => [...kept.keys()][at] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  storage()?.setItem('one', 'kept')
  expect(kept.get('one')).toBe('kept')
  expect([...((await storage()?.keys?.()) ?? [])]).toEqual(['one'])
  storage()?.removeItem('one')
  expect(storage()?.getItem('one')).toBeNull()
})
