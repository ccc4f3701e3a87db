import { BrowserProvider, HDNodeWallet, JsonRpcProvider, Signature, Wallet } from 'ethers'
import {
  type Address,
  concatHex,
  createWalletClient,
  custom,
  fallback,
  type Hex,
  hexToString,
  numberToHex,
  serializeErc6492Signature,
  slice,
} from 'viem'
import { mnemonicToAccount, privateKeyToAccount, toAccount } from 'viem/accounts'
import { describe, expect, test, vi } from 'vitest'
import { BaseError } from '../../core/errors/baseError.ts'
import { WrongNetworkError } from '../../core/errors/walletErrors.ts'
import { signAuthMessage } from '../authMessage/signAuthMessage.ts'
import { verifyAuthMessage } from '../authMessage/verifyAuthMessage.ts'
import type { EvmClient } from '../client.ts'
import { cancelCreditPermit, cancelCreditPermitTypedData } from '../creditPermit/cancelCreditPermit.ts'
import {
  type CreditPermit,
  type CreditPermitDomain,
  creditPermitTypedData,
  hashCreditPermit,
} from '../creditPermit/creditPermit.ts'
import { signCreditPermit, verifyCreditPermit } from '../creditPermit/signCreditPermit.ts'
import type { SignatureScheme } from '../signature/signatureScheme.ts'
import {
  cancelUsdcAuthorization,
  cancelUsdcAuthorizationTypedData,
} from '../usdcAuthorization/cancelUsdcAuthorization.ts'
import { signUsdcAuthorization, verifyUsdcAuthorization } from '../usdcAuthorization/signUsdcAuthorization.ts'
import { usdcAuthorizationTypedData } from '../usdcAuthorization/usdcAuthorization.ts'
import { askWallet } from './askWallet.ts'
import { bareChain } from './bareChain.fixture.ts'
import { type EvmSigner, toSigner } from './toSigner.ts'

const key: Hex = `0x${'01'.repeat(32)}`
const account = privateKeyToAccount(key)
const other = privateKeyToAccount(`0x${'02'.repeat(32)}`)
const domain: CreditPermitDomain = {
  name: 'Credits',
  version: '1',
  chainId: 8453,
  verifyingContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
}
const now = () => 1_800_000_000_000
const permit: CreditPermit = {
  customerWallet: account.address,
  creditSeed: 'Ünïcode 🛒',
  amount: 2n ** 200n,
  validBefore: 1_800_000_600n,
  nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
}
const fails = (name: string, field?: string) =>
  expect.objectContaining(field === undefined ? { name } : { name, field })

/**
 * Creates an EIP-1193 provider that records the requested methods. `answers` replaces its responses. The provider throws an Error in
 * `answers`.
 */
function fakeProvider(answers: Record<string, unknown> = {}) {
  const asked: string[] = []
  return {
    asked,
    request: async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
      asked.push(method)
      if (method in answers) {
        const answer = answers[method]
        if (answer instanceof Error) throw answer
        return answer
      }
      const list = params as string[]
      switch (method) {
        case 'eth_accounts':
          return [account.address.toLowerCase()]
        case 'eth_requestAccounts':
          return [account.address]
        case 'eth_chainId':
          return '0x2105'
        case 'eth_signTypedData_v4': {
          expect(list[0]?.toLowerCase()).toBe(account.address.toLowerCase())
          return account.signTypedData(JSON.parse(list[1] ?? ''))
        }
        case 'personal_sign':
          return account.signMessage({ message: hexToString(list[0] as Hex) })
        default:
          throw Object.assign(new Error('unsupported'), { code: 4200 })
      }
    },
  }
}
const prompts = (asked: readonly string[]) => asked.filter((method) => /sign|request|switch/i.test(method))

const phrase = 'test test test test test test test test test test test junk'
const signers: Record<string, () => { signer: EvmSigner; address?: Address }> = {
  'viem private key account': () => ({ signer: account }),
  'viem mnemonic account': () => ({
    signer: mnemonicToAccount(phrase),
    address: mnemonicToAccount(phrase).address,
  }),
  'viem custom account': () => ({
    signer: toAccount({
      address: account.address,
      signMessage: ({ message }) => account.signMessage({ message }),
      signTypedData: (typedData) => account.signTypedData(typedData as never),
      signTransaction: async () => '0x',
    }),
  }),
  'viem wallet client, local account': () => ({
    signer: createWalletClient({ account, transport: custom(fakeProvider()) }),
  }),
  'viem wallet client, JSON-RPC account': () => ({
    signer: createWalletClient({ account: account.address, transport: custom(fakeProvider()) }),
  }),
  'viem wallet client without account': () => ({
    signer: createWalletClient({ transport: custom(fakeProvider()) }),
  }),
  'EIP-1193 provider': () => ({ signer: fakeProvider() }),
  'EIP-1193 provider with address': () => ({ signer: { ...fakeProvider(), address: account.address } }),
  'ethers v6 wallet': () => ({ signer: new Wallet(key) }),
  'ethers v6 HD wallet': () => ({
    signer: HDNodeWallet.fromPhrase(phrase),
    address: mnemonicToAccount(phrase).address,
  }),
}

describe.each(Object.entries(signers))('%s', (_, make) => {
  test('signs the request', async () => {
    const { signer, address = account.address } = make()
    const own = { ...permit, customerWallet: address }
    const signature = await signCreditPermit(signer, { domain, permit: own, now })
    expect(await verifyCreditPermit({ domain, permit: own, signature })).toBe(true)
    expect(await toSigner(signer).getAddress()).toBe(address)
    expect(await toSigner(signer).signMessage('hello 🛒', { address })).toMatch(/^0x[0-9a-f]{130}$/)
  })
  test('does not sign for another account', async () => {
    await expect(
      signCreditPermit(make().signer, { domain, permit: { ...permit, customerWallet: other.address }, now }),
    ).rejects.toThrow(fails('WrongSignerError', 'permit.customerWallet'))
  })
})

test('ethers signer of a browser provider', async () => {
  const provider = fakeProvider()
  const signer = await new BrowserProvider(provider as never).getSigner()
  const signature = await signCreditPermit(signer, { domain, permit, now })
  expect(await verifyCreditPermit({ domain, permit, signature })).toBe(true)
  await expect(signCreditPermit(signer, { domain: { ...domain, chainId: 1 }, permit, now })).rejects.toThrow(
    fails('WrongNetworkError', 'domain.chainId'),
  )
})

describe('an error from the wallet', () => {
  const refusals: Record<string, unknown> = {
    'EIP-1193 4001': Object.assign(new Error('denied'), { code: 4001 }),
    'a wrapped 4001': Object.assign(new Error('outer'), {
      cause: Object.assign(new Error('x'), { code: 4001 }),
    }),
    'ethers ACTION_REJECTED': Object.assign(new Error('user rejected action'), { code: 'ACTION_REJECTED' }),
    'an ethers error inside info': Object.assign(new Error('could not coalesce error'), {
      code: 'UNKNOWN_ERROR',
      info: { error: { code: 4001 } },
    }),
    'WalletConnect 5000': Object.assign(new Error('User rejected.'), { code: 5000 }),
    'MetaMask behind a proxy': Object.assign(new Error('Internal JSON-RPC error.'), {
      code: -32603,
      data: { originalError: { code: 4001 } },
    }),
    'a rejection with another message': new Error('Signing was rejected by the user'),
    'a rejection recognized by its message only': Object.assign(
      new Error('MetaMask Message Signature: User denied message signature.'),
      { code: -32603 },
    ),
  }
  test.each(Object.entries(refusals))(
    '%s is a rejection by the user, and the wallet is not asked again',
    async (_, refusal) => {
      const provider = fakeProvider({ eth_signTypedData_v4: refusal })
      await expect(signCreditPermit(provider, { domain, permit, now })).rejects.toThrow(
        fails('UserRejectedError'),
      )
      expect(prompts(provider.asked)).toEqual(['eth_signTypedData_v4'])
    },
  )
  test('that is thrown as a string can be a rejection', async () => {
    const request = async ({ method }: { method: string }) => {
      if (method === 'eth_signTypedData_v4') throw 'User rejected the request.'
      return method === 'eth_chainId' ? '0x2105' : [account.address]
    }
    await expect(signCreditPermit({ request }, { domain, permit, now })).rejects.toThrow(
      fails('UserRejectedError'),
    )
  })
  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a number', 4001],
    ['an error that throws when it is read', new Proxy({}, { get: () => JSON.parse('{') })],
    ['an error that throws when its class is read', new Proxy({}, { getPrototypeOf: () => JSON.parse('{') })],
    ['an error without text', { message: Object.create(null), cause: Object.create(null) }],
  ])('%s is not a rejection, but a wallet failure', async (_, thrown) => {
    const request = async ({ method }: { method: string }) => {
      if (method === 'eth_signTypedData_v4') throw thrown
      return method === 'eth_chainId' ? '0x2105' : [account.address]
    }
    await expect(signCreditPermit({ request }, { domain, permit, now })).rejects.toThrow(
      fails('WalletFailedError', 'signer'),
    )
  })
  test.each<[string, unknown]>([
    ['Internal error.', new Error('Internal error.\nRequest body: {}')],
    ['locked.', { message: 'locked.' }],
    ['busy.', 'busy.'],
    ['an object.', { message: 7 }],
    ['an object.', {}],
    ['null.', null],
    ['a number.', 4001],
    ['an object.', new Proxy({}, { get: () => JSON.parse('{') })],
  ])('appears in the message with its first line only: %s', async (shown, thrown) => {
    const wallet = { sign: () => Promise.reject(thrown) }
    await expect(askWallet(wallet, 'sign')).rejects.toMatchObject({
      name: 'WalletFailedError',
      shortMessage: expect.stringMatching(new RegExp(`^The wallet failed: "?${shown}"?\\.?$`)),
    })
  })
  test.each([
    ['Pop up window failed to open', true],
    ['Internal error', false],
  ])('%j: whether the browser blocked its window is %s', async (message, isWindowBlocked) => {
    const thrown = Object.assign(new Error(message), { code: -32603 })
    const provider = fakeProvider({ eth_signTypedData_v4: thrown })
    await expect(signCreditPermit(provider, { domain, permit, now })).rejects.toMatchObject({
      name: 'WalletFailedError',
      isWindowBlocked,
    })
  })
  test('is not retried by a viem wallet client', async () => {
    const provider = fakeProvider({
      eth_signTypedData_v4: Object.assign(new Error('internal'), { code: -32603 }),
    })
    const client = createWalletClient({ account: account.address, transport: custom(provider) })
    await expect(signCreditPermit(client, { domain, permit, now })).rejects.toThrow(
      fails('WalletFailedError', 'signer'),
    )
    expect(prompts(provider.asked)).toEqual(['eth_signTypedData_v4'])
  })
  test.each([
    ['with an account', account.address],
    ['without an account', undefined],
  ])(
    'that only its message marks as a rejection is not retried by a viem wallet client %s',
    async (_, own) => {
      for (const refusal of [new Error('Rejected'), new Error('User rejected the request')]) {
        const provider = fakeProvider({ eth_signTypedData_v4: refusal })
        const client = createWalletClient({ transport: custom(provider), ...(own && { account: own }) })
        await expect(signCreditPermit(client, { domain, permit, now })).rejects.toThrow(BaseError)
        expect(prompts(provider.asked)).toEqual(['eth_signTypedData_v4'])
      }
    },
  )
  test('a viem wallet client with a fallback transport is refused, because it would ask the next wallet after a rejection', async () => {
    const provider = fakeProvider()
    const transport = fallback([custom(provider), custom(provider)])
    for (const client of [
      createWalletClient({ transport }),
      createWalletClient({ account: account.address, transport }),
    ])
      await expect(signCreditPermit(client, { domain, permit, now })).rejects.toThrow(
        fails('UnsupportedSignerError', 'signer'),
      )
    expect(provider.asked).toEqual([])
    // a local account signs in memory, without the transport
    await expect(
      signCreditPermit(createWalletClient({ account, transport }), { domain, permit, now }),
    ).resolves.toMatch(/^0x/)
  })
  test('viem’s retry option is not passed to other providers', async () => {
    const seen: unknown[] = []
    const provider = fakeProvider()
    const request = (call: { method: string; params?: unknown }, ...more: unknown[]) => {
      seen.push(...more)
      return provider.request(call)
    }
    await signCreditPermit({ request }, { domain, permit, now })
    expect(seen).toEqual([])
  })
  test('of a custom account can be a rejection', async () => {
    const refusing = {
      ...account,
      source: 'custom',
      signTypedData: () => Promise.reject(refusals['EIP-1193 4001']),
    }
    await expect(signCreditPermit(refusing as EvmSigner, { domain, permit, now })).rejects.toThrow(
      fails('UserRejectedError'),
    )
  })
})

describe('before the wallet prompts, signing is refused for', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['another chain', { eth_chainId: '0x1' }, 'WrongNetworkError'],
    ['a chain that is not a number', { eth_chainId: 'base' }, 'InvalidWalletAnswerError'],
    ['no chain', { eth_chainId: null }, 'InvalidWalletAnswerError'],
    ['a chain in a list', { eth_chainId: ['0x2105'] }, 'InvalidWalletAnswerError'],
    ['a chain that is true', { eth_chainId: true }, 'InvalidWalletAnswerError'],
    ['no connected account', { eth_accounts: [] }, 'WalletNotConnectedError'],
    ['another account', { eth_accounts: [other.address] }, 'WrongSignerError'],
    ['an account that is not an address', { eth_accounts: ['alice'] }, 'InvalidAddressError'],
    ['accounts that are not a list', { eth_accounts: null }, 'InvalidWalletAnswerError'],
    ['a broken wallet', { eth_accounts: new Error('disconnected') }, 'WalletFailedError'],
  ])('%s', async (_, answers, name) => {
    const provider = fakeProvider(answers)
    await expect(signCreditPermit(provider, { domain, permit, now })).rejects.toThrow(fails(name))
    expect(prompts(provider.asked)).toEqual([])
  })
  test('a wrong account before a wrong chain, although both are requested at the same time', async () => {
    const slow = fakeProvider()
    const request = async (call: { method: string }) => {
      const answer = await slow.request(call)
      if (call.method === 'eth_accounts')
        await vi.waitFor(() => expect(slow.asked).toContain('eth_chainId'), { timeout: 1000 })
      return answer
    }
    await expect(signCreditPermit({ request }, { domain, permit, now })).resolves.toMatch(/^0x/)
    const broken = fakeProvider({ eth_accounts: [other.address], eth_chainId: new Error('disconnected') })
    await expect(signCreditPermit(broken, { domain, permit, now })).rejects.toThrow(fails('WrongSignerError'))
  })
  test('a viem wallet client whose chain is another one', async () => {
    const client = createWalletClient({
      account,
      chain: {
        id: 1,
        name: 'x',
        nativeCurrency: { name: 'x', symbol: 'x', decimals: 18 },
        rpcUrls: { default: { http: [] } },
      },
      transport: custom(fakeProvider()),
    })
    await expect(signCreditPermit(client, { domain, permit, now })).rejects.toThrow(
      fails('WrongNetworkError'),
    )
  })
  test('a provider that does not list the account; of several listed accounts, the right one is used', async () => {
    const provider = fakeProvider({ eth_accounts: [other.address, account.address] })
    await expect(signCreditPermit(provider, { domain, permit, now })).resolves.toMatch(/^0x/)
    await expect(
      signCreditPermit({ ...provider, address: other.address }, { domain, permit, now }),
    ).rejects.toThrow(fails('WrongSignerError', 'permit.customerWallet'))
    await expect(
      signCreditPermit(
        { ...fakeProvider(), address: other.address },
        { domain, permit: { ...permit, customerWallet: other.address }, now },
      ),
    ).rejects.toThrow(fails('WrongSignerError', 'signer.address'))
  })
})

describe('a wallet that is not ready', () => {
  const pending = Object.assign(new Error('Requested resource not available'), { code: -32002 })
  const unconnected = Object.assign(new Error("Must call 'eth_requestAccounts' before other methods"), {
    code: 4100,
  })
  const ways: Record<string, (provider: ReturnType<typeof fakeProvider>) => Promise<EvmSigner> | EvmSigner> =
    {
      'EIP-1193': (provider) => provider,
      viem: (provider) => createWalletClient({ account: account.address, transport: custom(provider) }),
      ethers: (provider) => new BrowserProvider(provider as never).getSigner(),
    }
  test.each(Object.entries(ways))(
    '%s: another request is pending, and redeemkit does not repeat its own',
    async (_, make) => {
      const provider = fakeProvider({ eth_signTypedData_v4: pending })
      const signer = await make(provider)
      provider.asked.length = 0
      await expect(signCreditPermit(signer, { domain, permit, now })).rejects.toMatchObject({
        name: 'WalletRequestPendingError',
        field: 'signer',
        fix: expect.stringContaining('Open the wallet'),
      })
      expect(prompts(provider.asked)).toEqual(['eth_signTypedData_v4'])
    },
  )
  test.each(['eth_accounts', 'eth_signTypedData_v4'])('not connected, as %s reports', async (method) => {
    for (const make of [ways['EIP-1193'], ways.viem]) {
      const provider = fakeProvider({ [method]: unconnected })
      await expect(
        signCreditPermit((await make?.(provider)) as EvmSigner, { domain, permit, now }),
      ).rejects.toMatchObject({ name: 'WalletNotConnectedError', field: 'signer', source: 'EIP-1102' })
    }
  })
})

describe('without a client, a signature', () => {
  const theirs = () => other.signTypedData(creditPermitTypedData({ domain, permit }))
  const sign = async (code: unknown, answer?: Hex) => {
    const provider = fakeProvider({ eth_signTypedData_v4: answer ?? (await theirs()), eth_getCode: code })
    return { provider, signing: signCreditPermit(provider, { domain, permit, now }) }
  }
  test('by the account’s key is accepted without a request to a node', async () => {
    const provider = fakeProvider()
    await signCreditPermit(provider, { domain, permit, now })
    expect(provider.asked).not.toContain('eth_getCode')
  })
  test('by another key is refused if the wallet’s node reports no code', async () => {
    const { signing } = await sign('0x')
    await expect(signing).rejects.toMatchObject({ name: 'WrongSignatureError', field: 'signature' })
  })
  test.each<[string, unknown]>([
    ['code', '0x60'],
    ['a delegation', `0xef0100${'11'.repeat(20)}`],
    ['an error', new Error('no node')],
    ['nothing', undefined],
  ])(
    'by another key is accepted, as a contract’s signature, if the wallet’s node reports %s',
    async (_, code) => {
      const { signing } = await sign(code)
      await expect(signing).resolves.toBe(await theirs())
    },
  )
  test('from which no key can be recovered is refused', async () => {
    const { signing } = await sign('0x', `0x${'00'.repeat(65)}`)
    await expect(signing).rejects.toThrow(fails('WrongSignatureError'))
  })
  test('by the account’s key is returned unchanged, even if it is not canonical', async () => {
    const packed = await account.signTypedData(creditPermitTypedData({ domain, permit }))
    const odd: Hex = `0x${packed.slice(2, 130)}${packed.endsWith('1b') ? '00' : '01'}`
    const { signing } = await sign('0x', odd)
    await expect(signing).resolves.toBe(odd)
  })
  test('by another key is refused in the compact form too', async () => {
    const compact = Signature.from(await theirs()).compactSerialized as Hex
    const { signing } = await sign('0x', compact)
    await expect(signing).rejects.toThrow(fails('WrongSignatureError'))
  })
  test('that is not 65 bytes long is accepted without a request, because a contract account may accept it', async () => {
    const { provider, signing } = await sign('0x', `0x${'ab'.repeat(130)}`)
    await expect(signing).resolves.toBe(`0x${'ab'.repeat(130)}`)
    expect(provider.asked).not.toContain('eth_getCode')
  })
  test.each([1, 137, 8453])(
    'with the EIP-155 v of chain %i is returned with a v of 27 or 28',
    async (chainId) => {
      const here = { ...domain, chainId }
      const answer = async (by: typeof account, chain = chainId) => {
        const signature = await by.signTypedData(creditPermitTypedData({ domain: here, permit }))
        const v = 35 + 2 * chain + (signature.endsWith('1b') ? 0 : 1)
        return {
          signature,
          odd: concatHex([slice(signature, 0, 64), numberToHex(v, { size: v > 255 ? 2 : 1 })]),
        }
      }
      const sign = (eth_signTypedData_v4: Hex, client?: EvmClient) => {
        const answers = { eth_signTypedData_v4, eth_chainId: numberToHex(chainId), eth_getCode: '0x60' }
        return signCreditPermit(fakeProvider(answers), { domain: here, permit, now, client })
      }
      const own = await answer(account)
      await expect(sign(own.odd)).resolves.toBe(own.signature)
      await expect(sign(own.odd, bareChain)).resolves.toBe(own.signature)
      // bytes of a contract account stay unchanged
      for (const { odd } of [await answer(other), await answer(account, chainId + 1)])
        await expect(sign(odd)).resolves.toBe(odd)
    },
  )
  test.each<[string, () => EvmSigner]>([
    ['viem account', () => ({ ...account, address: other.address })],
    [
      'viem wallet client',
      () =>
        createWalletClient({
          account: { ...account, address: other.address },
          transport: custom(fakeProvider()),
        }),
    ],
    ['ethers wallet', () => Object.assign(new Wallet(key), { getAddress: async () => other.address })],
  ])('by a key that does not belong to the account is refused if the signer is a %s', async (_, make) => {
    await expect(
      signCreditPermit(make(), { domain, permit: { ...permit, customerWallet: other.address }, now }),
    ).rejects.toThrow(fails('WrongSignatureError'))
  })
})

describe('an empty signature, as from a Safe whose owners approve on chain,', () => {
  const safe = (answer: Hex, code = '0x60'): EvmClient => ({
    request: async ({ method }) => (method === 'eth_getCode' ? code : answer),
  })
  const yes: Hex = `0x1626ba7e${'00'.repeat(28)}`
  const wallet = () => fakeProvider({ eth_signTypedData_v4: '0x' })
  test('is valid if the account confirms it', async () => {
    expect(await signCreditPermit(wallet(), { domain, permit, now, client: safe(yes) })).toBe('0x')
  })
  test.each<[string, EvmClient | undefined, string]>([
    ['the account refuses it', safe('0x'), 'WrongSignatureError'],
    ['the account has no code', safe(yes, '0x'), 'InvalidSignatureError'],
    ['there is no client', undefined, 'InvalidWalletAnswerError'],
  ])('is refused if %s', async (_, client, name) => {
    await expect(signCreditPermit(wallet(), { domain, permit, now, client })).rejects.toThrow(fails(name))
  })
  test.each(['0x', ''])('%j without a client is refused with a hint about the Safe', async (answer) => {
    const provider = fakeProvider({ eth_signTypedData_v4: answer })
    await expect(signCreditPermit(provider, { domain, permit, now })).rejects.toMatchObject({
      name: 'InvalidWalletAnswerError',
      message: expect.stringContaining('no bytes'),
      fix: expect.stringContaining('Safe'),
    })
  })
  test('is refused for a sign-in, because anyone could send it', async () => {
    await expect(
      toSigner(fakeProvider({ personal_sign: '0x' })).signMessage('hello', { address: account.address }),
    ).rejects.toThrow(fails('InvalidWalletAnswerError'))
  })
})

test('a signature by the account’s key is refused if the account’s EIP-7702 delegate refuses it', async () => {
  const refusing: EvmClient = {
    request: async (call) => {
      if (call.method === 'eth_getCode') return `0xef0100${'11'.repeat(20)}`
      const [{ to }] = call.params as [{ to: string }]
      return to === account.address ? '0xffffffff' : bareChain.request(call)
    },
  }
  const sign = (signer: EvmSigner) => signCreditPermit(signer, { domain, permit, now, client: refusing })
  await expect(sign(account)).rejects.toMatchObject({
    name: 'WrongSignatureError',
    message: expect.stringContaining('delegated'),
    fix: expect.stringContaining('smart account'),
  })
  const theirs = await other.signTypedData(creditPermitTypedData({ domain, permit }))
  await expect(sign(fakeProvider({ eth_signTypedData_v4: theirs }))).rejects.toMatchObject({
    name: 'WrongSignatureError',
    message: expect.not.stringContaining('delegated'),
  })
})

describe('the error for an invalid signer shows only its type and length:', () => {
  test.each<[unknown, string]>([
    [key, 'text of 66 characters'],
    ['test test test', 'text of 14 characters'],
    [7, 'a number'],
    [undefined, 'undefined'],
    [null, 'null'],
    [2n, 'a bigint'],
  ])('%s', (signer, shown) => {
    // callers without TypeScript can pass this
    expect(() => toSigner(signer as never)).toThrow(
      expect.objectContaining({
        name: 'UnsupportedSignerError',
        shortMessage: `The signer is ${shown}, which cannot sign.`,
      }),
    )
  })
})

describe('onPrompt', () => {
  const authorization = {
    from: account.address,
    to: other.address,
    value: 1n,
    validAfter: 0n,
    validBefore: permit.validBefore,
    nonce: permit.nonce,
  }
  type OnPrompt = () => void | Promise<void>
  const calls: [string, (signer: EvmSigner, onPrompt: OnPrompt) => Promise<Hex>][] = [
    [
      'signCreditPermit',
      (signer, onPrompt) => signCreditPermit(signer, { domain, permit, now, client: bareChain, onPrompt }),
    ],
    [
      'signUsdcAuthorization',
      (signer, onPrompt) =>
        signUsdcAuthorization(signer, {
          chainId: 8453,
          type: 'ReceiveWithAuthorization',
          authorization,
          now,
          onPrompt,
        }),
    ],
  ]
  test.each(calls)('of %s is called and awaited directly before the wallet prompts', async (_, sign) => {
    const provider = fakeProvider()
    const { asked } = provider
    await sign(provider, async () => {
      asked.push('reported')
      await new Promise((resolve) => setTimeout(resolve, 5))
      asked.push('ready')
    })
    expect(asked).toEqual(['eth_accounts', 'eth_chainId', 'reported', 'ready', 'eth_signTypedData_v4'])
  })
  test.each(calls)(
    'of %s can stop signing before the prompt by throwing or rejecting; its error is rethrown',
    async (_, sign) => {
      const stop = new Error('stop')
      const throwing = () => {
        throw stop
      }
      for (const onPrompt of [throwing, () => Promise.reject(stop)]) {
        const provider = fakeProvider()
        await expect(sign(provider, onPrompt)).rejects.toBe(stop)
        expect(prompts(provider.asked)).toEqual([])
      }
    },
  )
  test.each(calls)('of %s is not called if a check fails', async (_, sign) => {
    let reported = false
    const provider = fakeProvider({ eth_chainId: '0x1' })
    const call = sign(provider, () => {
      reported = true
    })
    await expect(call).rejects.toThrow(fails('WrongNetworkError'))
    expect(reported).toBe(false)
  })
})

describe('the wallet’s answer', () => {
  const inList = [[`0x${'11'.repeat(65)}`], ['11'.repeat(65)]]
  test.each([null, undefined, '', '0x', '0xzz', '0x123', 7, {}, [], ...inList])(
    '%j is not a signature',
    async (answer) => {
      const provider = fakeProvider({ eth_signTypedData_v4: answer })
      await expect(signCreditPermit(provider, { domain, permit, now })).rejects.toThrow(
        fails('InvalidWalletAnswerError', 'signer'),
      )
    },
  )
  test('may be a signature without 0x', async () => {
    const signature = await account.signTypedData(creditPermitTypedData({ domain, permit }))
    const provider = fakeProvider({ eth_signTypedData_v4: signature.slice(2) })
    expect(await signCreditPermit(provider, { domain, permit, now })).toBe(signature)
  })
  test('that is an error does not leak a signature or key from its text into the message', async () => {
    const signature = await account.signTypedData(creditPermitTypedData({ domain, permit }))
    for (const text of [signature, signature.slice(2), key.slice(2)]) {
      const provider = fakeProvider({ eth_signTypedData_v4: new Error(`broken: ${text}`) })
      const error: unknown = await signCreditPermit(provider, { domain, permit, now }).catch(
        (cause: unknown) => cause,
      )
      expect(error).toMatchObject({ name: 'WalletFailedError' })
      expect(String(error)).not.toContain(text.slice(2, 60))
    }
  })
})

describe('on Tempo, with a client but without a signature scheme,', () => {
  const onTempo = { ...domain, chainId: 4217 }
  const digest = hashCreditPermit({ domain: onTempo, permit })
  const sign = (answer: Hex, client: EvmClient = bareChain) => {
    const wallet = { ...account, source: 'custom', signTypedData: async () => answer }
    return signCreditPermit(wallet as EvmSigner, { domain: onTempo, permit, now, client })
  }

  test('a signature by the account’s key is verified with the precompile at address 1, even if it is not canonical', async () => {
    const good = await account.sign({ hash: digest })
    expect(await sign(good)).toBe(good)
    expect(await sign(concatHex([slice(good, 0, 64), good.endsWith('1b') ? '0x00' : '0x01']))).toBe(good)
  })

  test("a signature by the account's own key is accepted even if the account has code", async () => {
    const good = await account.sign({ hash: digest })
    const delegated: EvmClient = {
      request: async (call) => (call.method === 'eth_getCode' ? '0xef0100' : bareChain.request(call)),
    }
    expect(await sign(good, delegated)).toBe(good)
    expect(await verifyCreditPermit({ domain: onTempo, permit, signature: good, client: delegated })).toBe(
      true,
    )
  })

  test('a signature by another account’s key is refused', async () => {
    const theirs = await other.sign({ hash: digest })
    await expect(sign(theirs)).rejects.toMatchObject({ name: 'WrongSignatureError', field: 'signature' })
    expect(await verifyCreditPermit({ domain: onTempo, permit, signature: theirs })).toBe(false)
  })

  test.each<[string, Hex]>([
    ['a passkey', `0x02${'11'.repeat(300)}`],
    ['an access key', `0x04${account.address.slice(2)}${'11'.repeat(64)}1b`],
  ])(
    'bytes that may be a signature by %s are refused, and the error names the missing scheme',
    async (_, bytes) => {
      const missing = {
        name: 'SignatureSchemeMissingError',
        field: 'signature',
        fix: expect.stringContaining('redeemkit/tempo'),
      }
      await expect(sign(bytes)).rejects.toMatchObject(missing)
      for (const client of [bareChain, undefined])
        await expect(
          verifyCreditPermit({ domain: onTempo, permit, signature: bytes, client }),
        ).rejects.toMatchObject(missing)
      const auth = { message: 'hello', address: account.address, signature: bytes }
      await expect(verifyAuthMessage({ ...auth, chainId: 4217 })).rejects.toMatchObject(missing)
      expect(await verifyAuthMessage(auth)).toBe(false)
    },
  )

  test.each<[string, Hex]>([
    ['of any length', `0x02${'11'.repeat(300)}`],
    ['by a Safe owner who signed the hash with eth_sign', `0x${'11'.repeat(64)}1f`],
    ['by a Safe owner who approved the hash on chain', `0x${'11'.repeat(32)}${'00'.repeat(32)}01`],
  ])('a contract account can accept bytes %s', async (_, bytes) => {
    const yes: EvmClient = {
      request: async ({ method }) => (method === 'eth_getCode' ? '0x60' : `0x1626ba7e${'00'.repeat(28)}`),
    }
    expect(await sign(bytes, yes)).toBe(bytes)
    expect(await verifyCreditPermit({ domain: onTempo, permit, signature: bytes, client: yes })).toBe(true)
  })
})

test('a signer that changes its input does not affect later calls', async () => {
  const careless = {
    ...account,
    source: 'custom',
    signTypedData: (typedData: { types: Record<string, unknown> }) => {
      delete typedData.types.EIP712Domain
      return account.signTypedData(typedData as never)
    },
  }
  for (let turn = 0; turn < 2; turn++) {
    const signature = await signCreditPermit(careless as EvmSigner, { domain, permit, now })
    expect(await verifyCreditPermit({ domain, permit, signature })).toBe(true)
  }
  const cancelled = { authorizer: account.address, nonce: permit.nonce }
  const authorization = { from: account.address, to: other.address, value: 1n, validAfter: 0n }
  for (const { types } of [
    creditPermitTypedData({ domain, permit }),
    cancelCreditPermitTypedData({ domain, customerWallet: account.address, nonce: permit.nonce }),
    cancelUsdcAuthorizationTypedData({ chainId: 8453, ...cancelled }),
    usdcAuthorizationTypedData({
      chainId: 8453,
      type: 'TransferWithAuthorization',
      authorization: { ...authorization, validBefore: 9n, nonce: permit.nonce },
    }),
  ])
    for (const part of [types, ...Object.values(types), ...Object.values(types).flat()])
      expect(Object.isFrozen(part)).toBe(true)
})

describe('a signature scheme', () => {
  const onTempo = { ...domain, chainId: 4217 }
  const digest = hashCreditPermit({ domain: onTempo, permit })
  const own: Hex = `0x02${'11'.repeat(300)}`
  const sign = async (answer: Hex, says: { valid: boolean; message?: string }, chainIds = [4217]) => {
    const asked: unknown[] = []
    const signatures: SignatureScheme = {
      chainIds,
      verify: async () => false,
      verifyOnChain: async (_, question) => {
        asked.push(question)
        return says
      },
    }
    const wallet = { ...account, source: 'custom', signTypedData: async () => answer }
    const options = { domain: onTempo, permit, now, client: bareChain, signatures }
    const signing = signCreditPermit(wallet as EvmSigner, options)
    return { signed: await signing.catch((error: unknown) => error), asked }
  }
  test('is asked before the account’s code, and receives signatures by keys in canonical form', async () => {
    const question = { account: account.address, digest }
    const good = await account.sign({ hash: digest })
    const compact = Signature.from(good).compactSerialized as Hex
    for (const [answer, signature] of [
      [own, own],
      [good, good],
      [compact, good],
      ['0x', '0x'],
    ] as const) {
      const { signed, asked } = await sign(answer, { valid: true })
      expect([signed, asked]).toEqual([signature, [{ ...question, signature }]])
    }
  })
  test('that refuses a signature does not rule out a signature by the account’s own key', async () => {
    const good = await account.sign({ hash: digest })
    expect((await sign(good, { valid: false })).signed).toBe(good)
  })
  test('can give the reason for a refusal, which the error contains', async () => {
    const refused = (text: string) => ({
      name: 'WrongSignatureError',
      shortMessage: `The bytes are not a signature by ${account.address}.${text}`,
    })
    const message = 'The access key has expired.'
    expect((await sign(own, { valid: false, message })).signed).toMatchObject(refused(` ${message}`))
    expect((await sign(own, { valid: false })).signed).toMatchObject(refused(''))
  })
  test('is ignored on other chains', async () => {
    const { signed, asked } = await sign(own, { valid: true }, [1])
    expect([asked, signed]).toMatchObject([[], { name: 'SignatureSchemeMissingError' }])
  })
})

test('a signature by an account that is not deployed yet is verified with a simulated deployment', async () => {
  const signature = serializeErc6492Signature({ address: other.address, data: '0x12', signature: '0x34' })
  const wallet = { ...account, source: 'custom', signTypedData: async () => signature }
  const node = (answer: Hex): EvmClient => ({
    request: async ({ method }) => (method === 'eth_getCode' ? '0x' : answer),
  })
  const sign = (answer: Hex) =>
    signCreditPermit(wallet as EvmSigner, { domain, permit, now, client: node(answer) })
  expect(await sign(`0x1626ba7e${'00'.repeat(28)}`)).toBe(signature)
  await expect(sign('0x')).rejects.toThrow(fails('WrongSignatureError'))
})

test('a signature is refused if the node’s ecrecover precompile returns nothing', async () => {
  const client: EvmClient = { request: async () => '0x' }
  await expect(signCreditPermit(account, { domain, permit, now, client })).rejects.toThrow(
    fails('WrongSignatureError', 'signature'),
  )
})

test("askWallet rethrows an error of redeemkit's own signers unchanged", async () => {
  const error = new WrongNetworkError('x', { field: 'signer' })
  const wallet = { sign: () => Promise.reject(error) }
  await expect(askWallet(wallet, 'sign')).rejects.toBe(error)
})

test.each<[string, Hex]>([
  ['one byte', '0x01'],
  ['66 bytes', `0x${'ab'.repeat(66)}`],
  ['65 bytes of another key', `0x${'ab'.repeat(64)}1b`],
])('with a client, %s are refused for an account without code', async (_, answer) => {
  const wallet = { ...account, source: 'custom', signTypedData: async () => answer }
  await expect(
    signCreditPermit(wallet as EvmSigner, { domain, permit, now, client: bareChain }),
  ).rejects.toMatchObject({ name: 'WrongSignatureError', field: 'signature' })
})

test.each([
  null,
  undefined,
  'wallet',
  7,
  {},
  [],
  { signTypedData: 1 },
  { address: account.address },
  { _signTypedData: () => 1 },
])('%j is not a signer', (signer) => {
  // callers without TypeScript can pass this
  expect(() => toSigner(signer as never)).toThrow(fails('UnsupportedSignerError', 'signer'))
})

test('signing with an ethers wallet whose node is down fails instead of hanging', async () => {
  const provider = new JsonRpcProvider('http://127.0.0.1:9', 8453, { staticNetwork: true })
  await expect(signCreditPermit(new Wallet(key, provider), { domain, permit, now })).rejects.toThrow(
    fails('WalletFailedError'),
  )
  provider.destroy()
})

test.each([undefined, null, 'options', []])(
  '%j as options is refused before any wallet is asked',
  async (options) => {
    const wallet = { request: () => Promise.reject(new Error('asked')) } as never
    const none = options as never
    for (const call of [
      signCreditPermit(wallet, none),
      signUsdcAuthorization(wallet, none),
      signAuthMessage(wallet, none),
      cancelCreditPermit(wallet, none),
      cancelUsdcAuthorization(wallet, none),
      verifyCreditPermit(none),
      verifyUsdcAuthorization(none),
      verifyAuthMessage(none),
    ])
      await expect(call).rejects.toMatchObject({ name: 'InvalidOptionError', field: 'options' })
  },
)

describe('before any wallet is asked, an option is refused if it is', () => {
  const wallet = { request: () => Promise.reject(new Error('asked')) } as never
  const calls: Record<string, (options: object) => Promise<unknown>> = {
    signCreditPermit: (options) => signCreditPermit(wallet, { domain, permit, now, ...options }),
    signUsdcAuthorization: (options) =>
      signUsdcAuthorization(wallet, {
        chainId: 8453,
        type: 'ReceiveWithAuthorization',
        authorization: {
          from: account.address,
          to: other.address,
          value: 1n,
          validAfter: 0n,
          validBefore: permit.validBefore,
          nonce: permit.nonce,
        },
        now,
        ...options,
      }),
    signAuthMessage: (options) =>
      signAuthMessage(wallet, { message: 'x', chainId: 8453, domains: ['x'], now, ...options }),
  }
  const rows = (wrong: Record<string, object[]>) =>
    Object.entries(wrong).flatMap(([name, list]) =>
      list.map((options) => [name, Object.keys(options)[0] ?? '', options] as const),
    )
  test.each(
    rows({
      signCreditPermit: [{ cleint: {} }, { onprompt: () => 1 }, { publicClient: {} }],
      signUsdcAuthorization: [{ maxValidSeconds: 1 }, { Token: {} }],
      signAuthMessage: [{ domain: 'x' }, { allowPlaintext: true }],
    }),
  )('misspelt: %s, option %s', async (name, field, options) => {
    const error: unknown = await calls[name]?.(options).catch((cause: unknown) => cause)
    expect(error).toMatchObject({
      name: 'InvalidOptionError',
      field,
      fix: expect.stringContaining('Did you mean'),
    })
  })
  test.each(
    rows({
      signCreditPermit: [
        { permit: undefined },
        { domain: 'x' },
        { client: 'https://node.example' },
        { onPrompt: true },
      ],
      signUsdcAuthorization: [{ authorization: undefined }, { token: 'USDC' }],
    }),
  )('missing or of the wrong type: %s, option %s', async (name, field, options) => {
    await expect(calls[name]?.(options)).rejects.toMatchObject({ name: 'InvalidOptionError', field })
  })
})
