// @vitest-environment happy-dom
import { cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { base, sepolia } from 'viem/chains'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WagmiProvider } from 'wagmi'
import { OutcomeUnknownError } from '../api/errors.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { finding } from '../core/finding/finding.ts'
import { english } from '../core/userMessage/userMessages.ts'
import { RedeemWouldFailError } from '../redeem/errors.ts'
import { createRedeemkit } from '../wagmi/createRedeemkit.ts'
import { reportMistake } from '../wagmi/reportMistake.ts'
import { chainId, purchase, stranger, wallet, world } from '../wagmi/wagmi.fixture.ts'
import { useBalances } from './account.ts'
import { providersOf } from './react.fixture.tsx'
import { useRedeem } from './useRedeem.ts'

/** After a mistake in code or configuration, the customer sees a general message, and the developer sees the field and the fix. */

const printed: string[] = []
beforeEach(() => {
  printed.length = 0
  vi.spyOn(console, 'error').mockImplementation((...texts) => printed.push(texts.map(String).join(' ')))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** Renders a redeem button until it fails. */
async function fail(kit: Partial<createRedeemkit.Options> = {}, parameters: object = {}) {
  const at = world({ kit })
  await at.connect()
  // Only untyped code can make these mistakes.
  const given = { ...purchase, ...parameters } as useRedeem.Parameters
  const view = renderHook(() => useRedeem(given), { wrapper: providersOf(at) })
  await waitFor(() => expect(view.result.current.error).not.toBe(null))
  view.rerender()
  return view.result.current
}

const pinOf = (id: number) => ({ chainId: id, creditsContract: stranger, creditSeed: 'my-shop' })
const answering = (answer: () => Response) => ({ fetch: async () => answer() })
const wrongChecksum = wallet.replace('f39F', 'F39f')

describe('prints the field and the fix once for', () => {
  test.each<[string, RegExp, Partial<createRedeemkit.Options>, object?]>([
    ['a chain that is not pinned', /chainId\n.*Pin that chain in createRedeemkit/, {}, { chainId: base.id }],
    ['a chain that the wagmi config lacks', /chainId\n.*createConfig/, { pins: [pinOf(80_002)] }],
    ['a wrong contract', /verifyingContract\n.*Compare the pinned values/, { pins: [pinOf(chainId)] }],
    [
      'a misspelled pin',
      /pinned\.seed\n.*creditSeed/,
      { pins: [Object.assign(pinOf(chainId), { seed: 'my-shop' })] },
    ],
    [
      'a wrong merchant id',
      /404.*\n.*merchantId/,
      answering(() => Response.json({ message: 'Unknown merchant' }, { status: 404 })),
    ],
    [
      'a service URL that nothing responds at',
      /baseUrl/,
      { fetch: () => Promise.reject(new TypeError('Failed to fetch')) },
    ],
    ['the URL of a web page', /HTML or XML.*\n.*baseUrl/, answering(() => new Response('<html>'))],
    ['`to` instead of `destination`', /destination/, {}, { transactionData: { type: 'token', to: wallet } }],
    ['a bigint instead of a number', /subtotal\.cents\n.*1000 instead/, {}, { subtotal: { cents: 1000n } }],
    ['cents with decimals', /subtotal\.cents\n.*whole US cents/, {}, { subtotal: { cents: 10.5 } }],
    [
      'a wrong checksum',
      /destination\n.*Copy the address again/,
      {},
      { transactionData: { type: 'token', destination: wrongChecksum } },
    ],
  ])('%s', async (_, text, kit, parameters) => {
    const { userMessage } = await fail(kit, parameters)
    expect(printed).toEqual([expect.stringMatching(text)])
    expect(userMessage).not.toMatch(/pay again/)
    await fail(kit, parameters)
    expect(printed).toHaveLength(1)
  })
})

test('a hook that shows no message prints the error as well', async () => {
  const at = world({ kit: answering(() => new Response('<p>', { status: 404 })) })
  await at.connect()
  const { result } = renderHook(() => useBalances(), { wrapper: providersOf(at) })
  await waitFor(() => expect(result.current.error).not.toBe(null))
  expect(printed).toEqual([expect.stringMatching(/404/)])
})

describe('the page throws when it starts with', () => {
  test.each<[string, RegExp, object]>([
    ['no pins', /No chain is pinned.\n.*pins\n.*creditsContract/, { pins: undefined }],
    ['an unknown chain', /chain/i, { pins: [pinOf(1234)] }],
    ['a chain from another environment', /belongs to sandbox/, { environment: 'prod' }],
    ['chains from two environments', /belongs to prod/, { pins: [pinOf(chainId), pinOf(base.id)] }],
  ])('%s', (_, text, options) => {
    const create = () =>
      createRedeemkit({
        baseUrl: 'http://service.test',
        merchantId: 'shop',
        pins: [pinOf(chainId)],
        ...options,
      })
    expect(create).toThrow(text)
  })

  test('a missing provider', () => {
    const at = world()
    expect(() => renderHook(() => useRedeem(purchase))).toThrow(/WagmiProvider/)
    const wagmi = ({ children }: { children: ReactNode }) => (
      <WagmiProvider config={at.config}>{children}</WagmiProvider>
    )
    expect(() => renderHook(() => useRedeem(purchase), { wrapper: wagmi })).toThrow(/RedeemkitProvider/)
    expect(() => renderHook(() => useRedeem({ ...purchase, kit: at.kit }), { wrapper: wagmi })).toThrow(
      /QueryClient/,
    )
  })
})

test('a purchase that the whitelist or the contract rejects is printed, before and after the click', () => {
  reportMistake(new RedeemWouldFailError([finding('danger', 'NOT_WHITELISTED', 'It is not whitelisted.')]))
  const cause = new BaseError('The service returned 403 NOT_WHITELISTED.')
  reportMistake(new OutcomeUnknownError(cause, { nonce: `0x${'11'.repeat(32)}`, validBefore: '1' }))
  expect(printed).toEqual([
    expect.stringContaining('It is not whitelisted.'),
    expect.stringContaining('403 NOT_WHITELISTED'),
  ])
})

test('errors that the customer can solve are not printed', () => {
  reportMistake({ code: 4001, message: 'User rejected the request.' })
  expect(printed).toEqual([])
})

test('an error of another library is printed without the key in its URL', () => {
  reportMistake(new Error('fetch of https://node.example/v2/aB3dE5gH7jK9mN1pQ3sT5 failed'))
  expect(printed).toHaveLength(1)
  expect(printed[0]).toContain('node.example')
  expect(printed[0]).not.toContain('aB3dE5gH7jK9mN1pQ3sT5')
})

test('production prints nothing', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  const { userMessage } = await fail({}, { chainId: sepolia.id })
  expect(userMessage).toBe(english.page)
  expect(printed).toEqual([])
})

test('without a process, nothing is printed or thrown', () => {
  vi.stubGlobal('process', undefined)
  try {
    expect(() => reportMistake(new Error('A mistake without a process.'))).not.toThrow()
  } finally {
    vi.unstubAllGlobals()
  }
  expect(printed).toEqual([])
})
