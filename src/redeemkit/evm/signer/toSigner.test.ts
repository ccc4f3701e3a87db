import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { creditPermitTypedData, hashCreditPermit } from '../creditPermit/creditPermit.ts'
import { type EvmSigner, toSigner } from './toSigner.ts'

const key = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const { address } = key
const signature = `0x${'ab'.repeat(65)}`
const permit = {
  domain: { name: 'Credits', version: '1', chainId: 8453, verifyingContract: address },
  permit: {
    customerWallet: address,
    creditSeed: 'shop',
    amount: 1n,
    validBefore: 1n,
    nonce: `0x${'8f'.repeat(32)}`,
  },
} as const
const typedData = creditPermitTypedData(permit)
const digest = hashCreditPermit(permit)

/** Creates a signer that records its calls. `answers` has the return value of each function. */
function recording(fields: object, answers: Record<string, unknown>) {
  const asked: [string, ...unknown[]][] = []
  const functions = Object.entries(answers).map(([name, answer]) => [
    name,
    async (...given: unknown[]) => {
      asked.push([name, ...given])
      if (answer instanceof Error) throw answer
      return answer
    },
  ])
  const signer = { ...fields, ...Object.fromEntries(functions) } as EvmSigner & Record<string, unknown>
  return { asked, signer }
}
const both = { signTypedData: signature, signMessage: signature }
const sign = (signer: EvmSigner) =>
  toSigner(signer).signTypedData(typedData as never, { digest, address } as never)

describe('an account', () => {
  test.each([
    ['a private key', key],
    ['a key of a mnemonic', mnemonicToAccount(`${'test '.repeat(11)}junk`)],
  ])('that holds %s is asked to sign the digest', async (_, account) => {
    const { asked, signer } = recording(account, { ...both, sign: signature })
    expect(await sign(signer)).toBe(signature)
    expect(asked).toEqual([['sign', { hash: digest }]])
    expect(await toSigner(signer).mayBeContract(address)).toBe(false)
  })

  test.each<[string, object, Record<string, unknown>, boolean]>([
    ['of a library other than viem', { type: 'local', source: 'custom' }, { sign: signature }, false],
    ['without a `sign` function', { type: 'local', source: 'privateKey' }, {}, false],
    [
      'that is a contract',
      { type: 'smart', source: 'privateKey' },
      { sign: signature, getAddress: address },
      true,
    ],
  ])('%s is asked to sign the typed data', async (_, fields, more, mayBeContract) => {
    const { asked, signer } = recording({ address, ...fields }, { ...both, ...more })
    expect(await sign(signer)).toBe(signature)
    expect(asked).toEqual([
      ['signTypedData', expect.objectContaining({ primaryType: typedData.primaryType })],
    ])
    expect(await toSigner(signer).mayBeContract(address)).toBe(mayBeContract)
    expect(await toSigner(signer).getAddress(undefined)).toBe(address)
    expect(await toSigner(signer).getChainId()).toBeUndefined()
  })

  test('reports its factory, if it has one', async () => {
    const { signer } = recording(
      { address, type: 'smart' },
      { ...both, getFactoryArgs: { factory: address } },
    )
    expect(await toSigner(signer).getFactory?.()).toBe(address)
    expect(toSigner(key).getFactory).toBeUndefined()
  })

  test('of a wallet client has the chain id of the client', async () => {
    const client = (chain: object) =>
      recording({ account: { ...key }, chain, transport: { type: 'custom' } }, { request: signature }).signer
    expect(await toSigner(client({ id: 10 })).getChainId()).toBe(10)
    expect(await toSigner(client({ id: '10' })).getChainId()).toBeUndefined()
  })
})

describe('a provider', () => {
  test.each<[string, object, number, boolean]>([
    ['of viem, recognized by its transport,', { transport: { type: 'custom' } }, 2, true],
    ['of viem, recognized by its account,', { account: { address } }, 2, false],
    ['of viem, recognized by its id,', { uid: 'one' }, 2, false],
    ['of viem with an HTTP transport', { transport: { type: 'http' } }, 2, false],
    ['of WalletConnect', { isWalletConnect: true }, 1, false],
    ['of a browser', {}, 1, true],
  ])(
    '%s gets each request once, and is asked for capabilities only if that cannot open an app',
    async (_, fields, given, isAskable) => {
      const { asked, signer } = recording(fields, { request: ['0x2105'] })
      await toSigner(signer)
        .getChainId()
        .catch(() => {})
      expect(asked).toHaveLength(1)
      expect(asked[0]?.slice(1)).toHaveLength(given)
      if (given === 2) expect(asked[0]?.[2]).toEqual({ retryCount: 0 })
      expect(toSigner(signer).getCapabilities !== undefined).toBe(isAskable)
    },
  )

  test.each([
    ['0x2105', 8453],
    [8453, 8453],
    ['0x0', undefined],
    [0, undefined],
    [-1, undefined],
    [1.5, undefined],
    [2 ** 53, undefined],
    ['x', undefined],
    [null, undefined],
    [['0x2105'], undefined],
  ])(
    'that returns %j for eth_chainId has the chain id %j; undefined means an error',
    async (answer, chainId) => {
      const { signer } = recording({}, { request: answer })
      const reading = toSigner(signer).getChainId()
      if (chainId !== undefined) return expect(await reading).toBe(chainId)
      await expect(reading).rejects.toMatchObject({ name: 'InvalidWalletAnswerError' })
    },
  )
})

describe('an ethers signer', () => {
  const ethers = (fields: object = {}) => recording(fields, { ...both, getAddress: address }).signer
  const provider = (answers: Record<string, unknown>) => recording({}, answers).signer
  const chainOf = (fields: object) => toSigner(ethers(fields)).getChainId()
  const mayBeContract = (fields: object) => toSigner(ethers(fields)).mayBeContract(address)

  test('receives the types without EIP712Domain', async () => {
    const { asked, signer } = recording({}, { ...both, getAddress: address })
    expect(await sign(signer)).toBe(signature)
    const { EIP712Domain: _, ...types } = typedData.types as Record<string, unknown>
    expect(asked).toEqual([['signTypedData', typedData.domain, types, typedData.message]])
  })

  test('has the chain id of its provider, if it has a provider', async () => {
    expect(await chainOf({})).toBeUndefined()
    expect(await chainOf({ provider: null })).toBeUndefined()
    expect(await chainOf({ provider: {} })).toBeUndefined()
    expect(await chainOf({ provider: provider({ send: '0x2105', getNetwork: { chainId: 1n } }) })).toBe(8453)
    expect(await chainOf({ provider: provider({ getNetwork: { chainId: 10n } }) })).toBe(10)
    expect(await chainOf({ provider: provider({ getNetwork: null }) })).toBeUndefined()
  })

  test('may be a contract, unless it holds its key or its node reports no code', async () => {
    expect(await mayBeContract({ signingKey: {}, provider: provider({ getCode: '0x60' }) })).toBe(false)
    expect(await mayBeContract({ provider: provider({ getCode: '0x' }) })).toBe(false)
    expect(await mayBeContract({ provider: provider({ getCode: '0x60' }) })).toBe(true)
    expect(await mayBeContract({ provider: provider({ getCode: new Error('down') }) })).toBe(true)
    expect(await mayBeContract({ provider: provider({ send: '0x' }) })).toBe(true)
    expect(await mayBeContract({})).toBe(true)
  })
})

test.each<[string, unknown, string]>([
  ['a promise of a signer', Promise.resolve(key), 'The signer is a promise.'],
  [
    'an ethers v5 signer',
    { _signTypedData: () => {}, signMessage: () => {} },
    'This is an ethers v5 signer.',
  ],
  ['an empty object', {}, 'The signer has neither "request" nor'],
  ['a function', () => {}, 'The signer has neither "request" nor'],
  ['an account that cannot sign messages', { address, signTypedData: () => {} }, 'The signer has neither'],
  ['an account that cannot sign typed data', { address, signMessage: () => {} }, 'The signer has neither'],
  [
    'an account without an address',
    { signTypedData: () => {}, signMessage: () => {} },
    'The signer has neither',
  ],
  [
    'an object that cannot be read',
    new Proxy({}, { get: () => JSON.parse('{') }),
    'The signer cannot be read.',
  ],
])('%s is not a signer', (_, signer, message) => {
  expect(() => toSigner(signer as EvmSigner)).toThrow(
    expect.objectContaining({ name: 'UnsupportedSignerError', message: expect.stringContaining(message) }),
  )
})

test.each<[unknown, string, RegExp]>([
  ['', 'no bytes', /Safe/],
  [undefined, 'undefined', /EIP-1193/],
  [`x${signature}`, 'text of 133 characters', /EIP-1193/],
  [`${signature}0`, 'text of 133 characters', /EIP-1193/],
  ['ab'.repeat(63), 'text of 126 characters', /EIP-1193/],
  [`${'ab'.repeat(64)}a`, 'text of 129 characters', /EIP-1193/],
  [{ signature }, 'an object', /EIP-1193/],
])('the answer %j is not a signature', async (answer, shown, fix) => {
  const { signer } = recording({ address, type: 'local' }, { ...both, signTypedData: answer })
  await expect(sign(signer)).rejects.toMatchObject({
    name: 'InvalidWalletAnswerError',
    message: expect.stringContaining(`with ${shown}.`),
    fix: expect.stringMatching(fix),
  })
})
