import { describe, expect, test } from 'vitest'
import { getBalances } from '../api/endpoints/customer.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { PinsRequiredError } from '../redeem/errors.ts'
import { createRedeemkit } from './createRedeemkit.ts'
import { meantChainId, storageOf } from './kit.ts'
import { plainKey } from './queryOptions.ts'
import { clientOf, pinOf } from './readKit.ts'

const pin = {
  chainId: 8453,
  creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  creditSeed: 'my-shop',
} as const
const options = { baseUrl: 'https://service.example', merchantId: 'shop', pins: [pin] }

describe('a kit', () => {
  test('uses the environment of its chains', () => {
    expect(createRedeemkit(options).client).toMatchObject({ blockchain: 'base', environment: 'prod' })
  })

  test.each([
    ['without pins', { pins: undefined as never }, 'pins'],
    ['with no pins', { pins: [] }, 'pins'],
    ['with a chain twice', { pins: [pin, pin] }, 'pins[1].chainId'],
    ['with chains from two environments', { pins: [pin, { ...pin, chainId: 84532 }] }, 'pins[1].chainId'],
    ['for a different environment than its chains', { environment: 'sandbox' as const }, 'pins[0].chainId'],
    ['with a misspelled option', { storag: null }, 'storag'],
  ])('%s is rejected', (_, change, field) => {
    expect(() => createRedeemkit({ ...options, ...change })).toThrow(
      expect.objectContaining({ constructor: InvalidOptionError, field }),
    )
  })

  test('has a key that depends on pins and user, but does not contain the session key', () => {
    const kit = createRedeemkit({ ...options, sessionKey: 'very secret' })
    const other = createRedeemkit({ ...options, pins: [{ ...pin, creditSeed: 'another' }] })
    expect(kit.key).not.toContain('secret')
    const users = ['ana', 'bob', undefined].map((userId) => createRedeemkit({ ...options, userId }).key)
    expect(new Set([other.key, ...users]).size).toBe(4)
    expect(users).toContain(kit.key)
  })

  test('has no pins for a chain that it does not list', () => {
    expect(() => pinOf(createRedeemkit(options), 1)).toThrow(
      expect.objectContaining({
        constructor: PinsRequiredError,
        field: 'chainId',
        fix: 'Pin that chain in createRedeemkit, or use 8453.',
      }),
    )
  })

  test('has one client for each wallet; all share the sign-ins', () => {
    const kit = createRedeemkit({ ...options, pins: [pin, { ...pin, chainId: 137 }] })
    const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    expect(clientOf(kit, { wallet, chainId: 137 })).toMatchObject({ wallet, blockchain: 'polygon' })
  })
})

test('its client can call the service before any action has', async () => {
  const fetch = () => Response.json({ credits: { cents: 5 }, usdc: { cents: 0 } })
  const { client } = createRedeemkit({ ...options, fetch })
  const call = { wallet: pin.creditsContract, creditSeed: 'my-shop' }
  expect(await getBalances(client, call)).toMatchObject({ credits: { cents: 5 } })
})

describe('choosing the chain', () => {
  const kit = createRedeemkit({ ...options, pins: [pin, { ...pin, chainId: 137 }] })

  test.each([
    ['the given chain', { chainId: 137, walletChainId: 8453 }, 137],
    ['otherwise the wallet’s chain, if it is pinned', { walletChainId: 137 }, 137],
    ['otherwise the first pinned chain', { walletChainId: 1 }, 8453],
  ])('%s', (_, given, meant) => {
    expect(meantChainId(kit, given)).toBe(meant)
  })
})

describe('the purchase storage', () => {
  test('is in memory without a page', () => {
    expect(storageOf(createRedeemkit(options))).toBeUndefined()
  })

  test('is in memory with null', () => {
    expect(storageOf(createRedeemkit({ ...options, storage: null }))).toBeUndefined()
  })
})

test('a key of a request has bigints as text, and no functions', () => {
  expect(plainKey({ nftId: 12n, abi: () => 1, deep: [{ x: 1n }] })).toEqual({
    nftId: '12n',
    deep: [{ x: '1n' }],
  })
})
