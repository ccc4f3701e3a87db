import { getAddress, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Addresses } from 'viem/tempo'
import { describe, expect, test } from 'vitest'
import * as tempo from './index.ts'
import { isTip20, tempoContracts, tempoTokenName, tempoTokens } from './network.ts'

const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const to = '0x20C0000000000000000000000000000000000000'
const data: Hex = '0x18160ddd'
const client = { request: async () => '0x' }
const calls = [{ to, data }] as const
const order = { chainId: 42431, calls, gas: 1n, maxFeePerGas: 1n, nonce: 0n }
const transaction = tempo.buildTempoTransaction(order)
const serialized = tempo.serializeTempoTransaction(transaction)
const expected = { chainId: 42431, account: account.address, calls }
const word: Hex = `0x${'11'.repeat(32)}`
const publicKey = { x: word, y: word }
const refused = (field: string, nearest: string) => ({
  name: 'InvalidOptionError',
  field,
  fix: expect.stringContaining(`Did you mean ${nearest}?`),
})

describe('a misspelt field of an expectation is refused, and nothing is signed:', () => {
  const misspelt: [string, unknown, string][] = [
    ['maxfee', 1n, 'maxFee'],
    ['feetoken', to, 'feeToken'],
    ['noncekey', 0n, 'nonceKey'],
    ['maxValidbefore', 1n, 'maxValidBefore'],
    ['feePayr', to, 'feePayer'],
    ['sponsord', true, 'sponsored'],
    ['webauthn', {}, 'webAuthn'],
  ]
  test.each(misspelt)('%s', async (name, value, nearest) => {
    const asked: unknown[] = []
    const key = { address: account.address, sign: async () => [word, asked.push(name)][0] as Hex }
    const wrong = { ...expected, maxFee: 1n, [name]: value } as never
    for (const answer of [
      tempo.inspectTempoTransaction(serialized, wrong),
      tempo.signTempoTransaction(key, { serialized, expected: wrong }),
      tempo.sponsorTempoTransaction(key, { serialized, feeToken: to, expected: wrong }),
    ])
      await expect(answer).rejects.toMatchObject(refused(`expected.${name}`, nearest))
    expect(asked).toEqual([])
    const { findings } = await tempo.inspect(serialized, { expected: wrong })
    expect(findings).toMatchObject([{ code: 'INVALID_EXPECTATION', severity: 'danger' }])
  })

  test('a field that an expected call does not have', async () => {
    const wrong = { ...expected, calls: [{ to, data, value: 1n }] } as never
    await expect(tempo.inspectTempoTransaction(serialized, wrong)).rejects.toMatchObject({
      name: 'InvalidOptionError',
      field: 'calls.0.value',
    })
  })
})

describe('the error for a misspelt option suggests the right name:', () => {
  const webAuthn = { topOrigin: ['https://shop.example'] } as never
  const cases: [string, () => unknown, string, string][] = [
    [
      'buildTempoTransaction',
      () => tempo.buildTempoTransaction({ ...order, feetoken: to } as never),
      'feetoken',
      'feeToken',
    ],
    [
      'buildTempoTransaction, in a call',
      () => tempo.buildTempoTransaction({ ...order, calls: [{ to, dat: data }] } as never),
      'calls.0.dat',
      'data',
    ],
    [
      'hashTempoTransaction',
      () => tempo.hashTempoTransaction({ ...transaction, validbefore: 1n } as never),
      'transaction.validbefore',
      'validBefore',
    ],
    [
      'hashTempoFeePayer',
      () => tempo.hashTempoFeePayer(transaction, { sendr: to } as never),
      'sendr',
      'sender',
    ],
    [
      'hashTempoFeePayer, in the transaction',
      () => tempo.hashTempoFeePayer({ ...transaction, feetoken: to } as never, { sender: to }),
      'transaction.feetoken',
      'feeToken',
    ],
    [
      'serializeTempoTransaction',
      () => tempo.serializeTempoTransaction(transaction, { formt: 'handoff' } as never),
      'formt',
      'format',
    ],
    [
      'serializeTempoTransaction, in a call',
      () =>
        tempo.serializeTempoTransaction({
          ...transaction,
          calls: [{ to, value: 0n, data, vlue: 1n }],
        } as never),
      'calls.0.vlue',
      'value',
    ],
    [
      'keychainDigest',
      () => tempo.keychainDigest({ digest: word, acount: to } as never),
      'acount',
      'account',
    ],
    [
      'accessKeySigner',
      () => tempo.accessKeySigner({ acount: to, key: account } as never),
      'acount',
      'account',
    ],
    [
      'passkeySigner',
      () => tempo.passkeySigner({ credentialId: 'AQ', publicKey, rpid: 'x' } as never),
      'rpid',
      'rpId',
    ],
    ['tempoSignatures', () => tempo.tempoSignatures({ webauthn: {} } as never), 'webauthn', 'webAuthn'],
    [
      'tempoSignatures, in webAuthn',
      () => tempo.tempoSignatures({ webAuthn }),
      'webAuthn.topOrigin',
      'topOrigins',
    ],
  ]
  test.each(cases)('%s', (_, call, field, nearest) => {
    expect(call).toThrow(expect.objectContaining(refused(field, nearest)))
  })

  const later: [string, () => Promise<unknown>, string, string][] = [
    [
      'signTempoTransaction',
      () => tempo.signTempoTransaction(account, { serialised: serialized, expected } as never),
      'serialised',
      'serialized',
    ],
    [
      'sponsorTempoTransaction',
      () => tempo.sponsorTempoTransaction(account, { serialized, feetoken: to, expected } as never),
      'feetoken',
      'feeToken',
    ],
    ['webCryptoSigner', () => tempo.webCryptoSigner({ keypair: {} } as never), 'keypair', 'keyPair'],
    [
      'getAccessKey',
      () => tempo.getAccessKey(client as never, { account: to, keyid: to } as never),
      'keyid',
      'keyId',
    ],
    [
      'askSignatureVerifier',
      () => tempo.askSignatureVerifier(client as never, { acount: to } as never),
      'acount',
      'account',
    ],
    ['checkTempoSignature', () => tempo.checkTempoSignature({ acount: to } as never), 'acount', 'account'],
  ]
  test.each(later)('%s', async (_, call, field, nearest) => {
    await expect(call()).rejects.toMatchObject(refused(field, nearest))
  })
})

test('serializeTempoTransaction refuses an unknown format', () => {
  expect(() => tempo.serializeTempoTransaction(transaction, { format: 'Handoff' } as never)).toThrow(
    expect.objectContaining({ name: 'InvalidOptionError', field: 'format' }),
  )
})

describe('networks', () => {
  test('contracts have the addresses that viem uses', () => {
    const { signatureVerifier, accountKeychain, feeManager, pathUsd } = Addresses
    const theirs = { signatureVerifier, accountKeychain, feeManager, pathUsd }
    expect(Object.entries(tempoContracts).map(([name, address]) => [name, address.toLowerCase()])).toEqual(
      Object.entries(theirs).map(([name, address]) => [name, address.toLowerCase()]),
    )
  })

  describe('tokens', () => {
    test.each(tempoTokens)('$name has a TIP-20 address with its checksum', ({ address }) => {
      expect(getAddress(address)).toBe(address)
      expect(isTip20(address)).toBe(true)
    })

    test('AlphaUSD exists only on the test network', () => {
      const alpha = '0x20C0000000000000000000000000000000000001'
      expect(tempoTokenName(alpha, 42431)).toBe('AlphaUSD')
      expect(tempoTokenName(alpha, 4217)).toBeUndefined()
    })

    test('USDC.e has an address on each network', () => {
      const address = '0x20C000000000000000000000b9537d11c60E8b50'
      expect([4217, 42431].map((chainId) => tempoTokenName(address, chainId))).toEqual(['USDC.e', undefined])
    })

    test('an address without the token factory’s prefix is not a TIP-20 token', () => {
      const prefix = `0x20c${'0'.repeat(21)}` as const
      expect(isTip20(`${prefix}1000000000000001`)).toBe(true)
      expect(isTip20(`${prefix.slice(0, -1) as '0x'}11000000000000001`)).toBe(false)
    })
  })
})
