import { BrowserProvider } from 'ethers'
import { createWalletClient, custom, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { askForCreditPermit } from '../creditPermit/signCreditPermit.ts'
import { inTime, patienceMs, takesIntent } from './signTypedData.ts'
import { type EvmSigner, toSigner } from './toSigner.ts'

const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const { address } = account
const contract: Hex = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const chainId = 8453
const announced = { supported: true, version: 1 }
const redeemIntent = {
  version: 1,
  merchantId: 'shop',
  salt: `0x${'ab'.repeat(32)}`,
  request: { subtotal: { cents: 100 }, transactionData: { type: 'token', destination: contract } },
} as const

/** Creates an EIP-1193 wallet that returns `capabilities` for `wallet_getCapabilities` and records its requests. */
function walletOf(capabilities: () => unknown) {
  const asked: { method: string; params?: unknown }[] = []
  return {
    asked,
    request: async (call: { method: string; params?: unknown }): Promise<unknown> => {
      asked.push(call)
      const [, text] = (call.params ?? []) as [string, string]
      if (call.method === 'eth_accounts') return [address]
      if (call.method === 'eth_chainId') return '0x2105'
      if (call.method === 'wallet_getCapabilities') return capabilities()
      if (call.method !== 'eth_signTypedData_v4') throw new Error(`${call.method} is unknown.`)
      return account.signTypedData(JSON.parse(text))
    },
  }
}
const permit = {
  customerWallet: address,
  creditSeed: 'shop',
  amount: 1_030_000n,
  validBefore: 1_800_000_600n,
  nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
} as const
const sign = (signer: EvmSigner, onPrompt?: () => void) =>
  askForCreditPermit(signer, {
    domain: { name: 'Credits', version: '1', chainId, verifyingContract: contract },
    permit,
    now: () => 1_800_000_000_000,
    redeemIntent,
    onPrompt,
  })
const promptOf = ({ asked }: ReturnType<typeof walletOf>) =>
  asked.find(({ method }) => method === 'eth_signTypedData_v4')?.params as unknown[]
const isTaken = (capabilities: () => unknown) =>
  takesIntent(toSigner(walletOf(capabilities)), { address, chainId })

describe('takesIntent', () => {
  test.each<[string, unknown]>([
    ['on this chain', { '0x2105': { redeemIntent: announced } }],
    ['on this chain, with a leading zero in the chain id', { '0x02105': { redeemIntent: announced } }],
    ['on all chains', { '0x0': { redeemIntent: announced } }],
    [
      'on all chains, and another capability on this chain',
      { '0x0': { redeemIntent: announced }, '0x2105': { atomic: { status: 'supported' } } },
    ],
  ])('returns true for a wallet that announces the capability %s', async (_, answer) => {
    expect(await isTaken(() => answer)).toBe(true)
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['text', '0x2105'],
    ['a list', [{ redeemIntent: announced }]],
    ['a capability without a chain', { redeemIntent: announced }],
    ['another chain', { '0x1': { redeemIntent: announced } }],
    ['a chain that is not hex', { 8453: { redeemIntent: announced }, '': { redeemIntent: announced } }],
    ['a chain without capabilities', { '0x2105': null }],
    ['no version', { '0x2105': { redeemIntent: { supported: true } } }],
    ['another version', { '0x2105': { redeemIntent: { supported: true, version: 2 } } }],
    ['a version as text', { '0x2105': { redeemIntent: { supported: true, version: '1' } } }],
    ['that it is not supported', { '0x2105': { redeemIntent: { supported: false, version: 1 } } }],
    ['text for supported', { '0x2105': { redeemIntent: { supported: 'true', version: 1 } } }],
    [
      'supported: false for this chain and true for all chains',
      { '0x2105': { redeemIntent: { supported: false, version: 1 } }, '0x0': { redeemIntent: announced } },
    ],
    [
      'a getter that throws',
      {
        get '0x2105'() {
          throw new Error('no')
        },
      },
    ],
  ])('returns false for a wallet that answers %s', async (_, answer) => {
    expect(await isTaken(() => answer)).toBe(false)
  })

  test('returns false for a wallet that fails, rejects or throws any value', async () => {
    for (const cause of [new Error('no'), { code: 4100 }, { code: 4001 }, undefined])
      expect(await isTaken(() => Promise.reject(cause))).toBe(false)
  })

  test('passes account and chain to wallet_getCapabilities', async () => {
    const wallet = walletOf(() => ({}))
    await takesIntent(toSigner(wallet), { address, chainId })
    expect(wallet.asked).toEqual([{ method: 'wallet_getCapabilities', params: [address, ['0x2105']] }])
  })
})

describe('the eth_signTypedData_v4 request', () => {
  const yes = () => ({ '0x2105': { redeemIntent: announced } })

  test.each<[string, (wallet: ReturnType<typeof walletOf>) => EvmSigner]>([
    ['a provider', (wallet) => wallet],
    ['a viem wallet client', (wallet) => createWalletClient({ account: address, transport: custom(wallet) })],
  ])('has the purchase as its third parameter if the signer is %s', async (_, signerOf) => {
    const wallet = walletOf(yes)
    await sign(signerOf(wallet))
    expect(promptOf(wallet)).toEqual([address, expect.any(String), { redeemIntent }])
  })

  test('has two parameters if the wallet does not announce the capability', async () => {
    const wallet = walletOf(() => ({}))
    await sign(wallet)
    expect(promptOf(wallet)).toEqual([address, expect.any(String)])
  })

  test('has two parameters over WalletConnect, because asking for capabilities would open the wallet’s app', async () => {
    const wallet = walletOf(yes)
    await sign(Object.assign(wallet, { isWalletConnect: true }))
    expect(promptOf(wallet)).toHaveLength(2)
    expect(wallet.asked.map(({ method }) => method)).not.toContain('wallet_getCapabilities')
  })

  test('has two parameters over HTTP, because a node is not a wallet', async () => {
    const wallet = walletOf(yes)
    const fetchFn = async (_: unknown, { body }: { body?: unknown } = {}) => {
      const { id, method, params } = JSON.parse(String(body))
      return Response.json({ jsonrpc: '2.0', id, result: await wallet.request({ method, params }) })
    }
    const transport = http('http://node.test', { fetchFn: fetchFn as typeof fetch })
    await sign(createWalletClient({ account: address, transport }))
    expect(promptOf(wallet)).toHaveLength(2)
    expect(wallet.asked.map(({ method }) => method)).not.toContain('wallet_getCapabilities')
  })

  test('has two parameters through ethers', async () => {
    const wallet = walletOf(yes)
    await sign(await new BrowserProvider(wallet as never).getSigner())
    expect(promptOf(wallet)).toHaveLength(2)
  })

  test('is not made for an account that signs by itself: its function receives no purchase', async () => {
    const signTypedData = vi.fn((typedData: never) => account.signTypedData(typedData))
    await sign({ ...account, source: 'ledger', signTypedData } as EvmSigner)
    const [given, ...more] = signTypedData.mock.calls[0] ?? []
    expect([Object.keys(given ?? {}).sort(), more]).toEqual([
      ['domain', 'message', 'primaryType', 'types'],
      [],
    ])
  })

  test('is preceded by requests for account, chain and capabilities, all sent at the same time', async () => {
    const wallet = walletOf(yes)
    void sign({
      request: (call: never) => {
        void wallet.request(call)
        return new Promise(() => {})
      },
    })
    await Promise.resolve()
    expect(wallet.asked.map(({ method }) => method)).toEqual([
      'eth_accounts',
      'eth_chainId',
      'wallet_getCapabilities',
    ])
  })

  test('does not leak the purchase into the error of a failing wallet', async () => {
    const wallet = walletOf(yes)
    const request = async (call: { method: string; params?: unknown }) => {
      if (call.method === 'eth_signTypedData_v4') throw new Error(`Broken\n${JSON.stringify(call)}`)
      return wallet.request(call)
    }
    const error = await sign({ request }).catch((cause: Error) => cause)
    expect(error).toMatchObject({ name: 'WalletFailedError' })
    expect(`${error} ${JSON.stringify(error)} ${(error as Error).stack}`).not.toContain(redeemIntent.salt)
  })
})

describe('a slow wallet', () => {
  afterEach(() => void vi.useRealTimers())

  test('that does not respond to wallet_getCapabilities in time is asked without the purchase', async () => {
    vi.useFakeTimers()
    const wallet = walletOf(() => new Promise(() => {}))
    const onPrompt = vi.fn()
    const signing = sign(wallet, onPrompt)
    await vi.advanceTimersByTimeAsync(patienceMs - 1)
    expect(onPrompt).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(onPrompt).toHaveBeenCalledTimes(1)
    await signing
    expect(promptOf(wallet)).toHaveLength(2)
  })

  test('that responds in time leaves no timer behind', async () => {
    vi.useFakeTimers()
    expect(await inTime(Promise.resolve(true), 10)).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })
})
