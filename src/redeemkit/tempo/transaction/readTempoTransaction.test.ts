import fc from 'fast-check'
import { Hex as OxHex } from 'ox'
import { KeyAuthorization, Transaction as OxTransaction, TxEnvelopeTempo } from 'ox/tempo'
import { type Hex, hexToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Account, Formatters, Transaction } from 'viem/tempo'
import { describe, expect, test } from 'vitest'
import { buildTempoTransaction } from './buildTempoTransaction.ts'
import { parseTempoTransaction } from './parseTempoTransaction.ts'
import { readTempoTransaction } from './readTempoTransaction.ts'
import { serializeTempoTransaction } from './serializeTempoTransaction.ts'

const sponsor = privateKeyToAccount(`0x${'cd'.repeat(32)}`)
const root = Account.fromSecp256k1(`0x${'a0'.repeat(32)}`)
const accounts = {
  secp256k1: Account.fromSecp256k1(`0x${'a1'.repeat(32)}`),
  p256: Account.fromP256(`0x${'a2'.repeat(32)}`),
  passkey: Account.fromHeadlessWebAuthn(`0x${'a3'.repeat(32)}`, {
    rpId: 'shop.example',
    origin: 'https://shop.example',
  }),
  'access key': Account.fromP256(`0x${'a4'.repeat(32)}`, { access: root }),
}
const token = '0x20C0000000000000000000000000000000000000'
const request = {
  type: 'tempo',
  chainId: 42431,
  calls: [{ to: token, data: '0xa9059cbb' as Hex }],
  gas: 1_000_000n,
  maxFeePerGas: 20_000_000_000n,
  nonce: 3,
  nonceKey: 7n,
  validBefore: 1_800_000_060,
} as const

describe('readTempoTransaction reads the same transaction from an object as from its bytes:', () => {
  const word = fc.bigInt(1n, 2n ** 64n - 1n)
  const bytes = fc.uint8Array({ maxLength: 80 }).map((value) => OxHex.fromBytes(value))
  const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((value) => OxHex.fromBytes(value))
  const arbitrary = fc.record(
    {
      chainId: fc.constantFrom(4217, 42431, 1),
      maxPriorityFeePerGas: fc.bigInt(0n, 2n ** 30n),
      maxFeePerGas: fc.bigInt(2n ** 31n, 2n ** 64n),
      gas: word,
      calls: fc.array(fc.record({ to: address, value: word, data: bytes }), { minLength: 1, maxLength: 4 }),
      nonceKey: fc.bigInt(0n, 2n ** 256n - 1n),
      nonce: word,
      validBefore: fc.integer({ min: 2 ** 31, max: 2 ** 40 }),
      validAfter: fc.integer({ min: 1, max: 2 ** 30 }),
      feeToken: address,
      accessList: fc.array(fc.record({ address, storageKeys: fc.constant([`0x${'33'.repeat(32)}`]) }), {
        maxLength: 2,
      }),
      feePayerSignature: fc.constantFrom(null, { r: 5n, s: 7n, yParity: 1 }),
    },
    { requiredKeys: ['chainId', 'gas', 'maxFeePerGas', 'nonce', 'calls'] },
  )

  test('random objects of ox', () => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        const theirs: object = TxEnvelopeTempo.from(value as never)
        // ox omits the fee token while the fee payer's signature is a placeholder, because the sponsor chooses the token
        const kept = value.feePayerSignature === null ? { ...theirs, feeToken: undefined } : theirs
        const { transaction, open } = readTempoTransaction(kept)
        expect(open).toEqual([])
        expect(serializeTempoTransaction(transaction)).toBe(
          TxEnvelopeTempo.serialize(theirs as never).toLowerCase(),
        )
      }),
      { numRuns: 600 },
    )
  })

  test.each(Object.entries(accounts))('an object of viem, signed by %s and a sponsor', async (_, account) => {
    const serialized = (await account.signTransaction({
      ...request,
      feePayer: sponsor,
      feeToken: token,
    } as never)) as Hex
    const { transaction } = readTempoTransaction(Transaction.deserialize(serialized as never))
    expect(transaction).toEqual(parseTempoTransaction(serialized))
  })

  test.each(Object.entries(accounts))('a transaction from a node, signed by %s', async (_, account) => {
    const serialized = (await account.signTransaction({ ...request, feeToken: token } as never)) as Hex
    const envelope = TxEnvelopeTempo.deserialize(serialized as never)
    const rpc = OxTransaction.toRpc({
      ...envelope,
      data: undefined,
      blockHash: `0x${'11'.repeat(32)}`,
      blockNumber: 5n,
      hash: `0x${'22'.repeat(32)}`,
      transactionIndex: 0,
      accessList: [],
    } as never)
    // nodes return these fields, which ox omits
    const { transaction, from } = readTempoTransaction({ ...rpc, nonceKey: '0x7', feePayerSignature: null })
    expect(transaction).toEqual(parseTempoTransaction(serialized))
    expect(readTempoTransaction(hexToBytes(serialized))).toEqual({ transaction, open: [] })
    expect(from?.toLowerCase()).toBe(envelope.from?.toLowerCase())
  })

  test('an object of redeemkit, unchanged', () => {
    const { type: _, ...rest } = request
    const ours = buildTempoTransaction({ ...rest, nonce: 3n, validBefore: 1_800_000_060n })
    expect(readTempoTransaction(ours)).toEqual({ transaction: ours, open: [] })
  })
})

describe('readTempoTransaction of a wallet request', () => {
  test('returns the fields that the request leaves to the wallet', () => {
    const { transaction, open, from } = readTempoTransaction({
      from: sponsor.address,
      chainId: '0xa5bf',
      to: token,
      data: '0xa9059cbb',
      value: '0x0',
    })
    expect(open).toEqual(['gas', 'maxFeePerGas', 'nonce'])
    expect(from).toBe(sponsor.address)
    expect(transaction).toMatchObject({
      chainId: 42431,
      sponsored: false,
      calls: [{ to: token, data: '0xa9059cbb' }],
    })
  })

  test.each(Object.entries(accounts))(
    'reads a viem request for %s, which has hints for gas estimation',
    (_, account) => {
      const asked = Formatters.formatTransactionRequest({ ...request, account } as never)
      expect(readTempoTransaction(asked)).toEqual(readTempoTransaction({ ...request, from: account.address }))
    },
  )

  test.each<[string, unknown, boolean]>([
    ['true', true, true],
    ['an account', sponsor, true],
    ['the URL of a service', 'https://sponsor.example', true],
    ['false', false, false],
    ['missing', undefined, false],
    ['null', null, false],
  ])('reads whether a sponsor pays from a feePayer that is %s', (_, feePayer, sponsored) => {
    expect(readTempoTransaction({ ...request, feePayer }).transaction.sponsored).toBe(sponsored)
  })

  test('reads the nonce key "expiring" as 2^256 - 1', () => {
    const { transaction } = readTempoTransaction({ ...request, nonceKey: 'expiring' })
    expect(transaction.nonceKey).toBe(2n ** 256n - 1n)
  })

  test('reads a fee token from its number in the token factory', () => {
    const { transaction } = readTempoTransaction({ ...request, feeToken: 1n })
    expect(transaction.feeToken).toBe('0x20C0000000000000000000000000000000000001')
  })

  test('recognizes a key authorization and an account delegation with any content', () => {
    const keyAuthorization = KeyAuthorization.from({ address: token, chainId: 42431n, type: 'p256' } as never)
    const read = readTempoTransaction({ ...request, keyAuthorization, aaAuthorizationList: [{}] })
    expect(read.transaction).toMatchObject({ keyAuthorization: [], authorizationList: [] })
  })

  test.each<[string, object, string]>([
    ['an unknown field', { gasLimit: 5n }, 'transaction.gasLimit'],
    ['a list of signatures', { signatures: ['0x'] }, 'transaction.signatures'],
    ['another type', { type: 'eip1559' }, 'type'],
    ['both a call and a list of calls', { to: token, data: '0x12' }, 'calls'],
    ['calls that are not a list', { calls: {} }, 'calls'],
    ['a call with another field', { calls: [{ to: token, gas: 5n }] }, 'calls.0.gas'],
    [
      'different data and input in one call',
      { calls: [{ to: token, data: '0x12', input: '0x34' }] },
      'calls.0.input',
    ],
    ['a number too large to be exact', { gas: 2 ** 60 }, 'gas'],
    ['a number in decimal text', { gas: '21000' }, 'gas'],
    ['a fraction', { validBefore: 1.5 }, 'validBefore'],
    ['an invalid chain', { chainId: undefined }, 'chainId'],
    ['a token beyond the factory', { feeToken: 2n ** 64n }, 'feeToken'],
    ['an access list with a malformed entry', { accessList: [{}] }, 'accessList.0'],
    ['Keychain V1', { signature: { type: 'keychain', version: 'v1' } }, 'signature'],
    [
      'a signature of another type',
      { signature: { type: 'multisig', signature: { r: 1n, s: 1n }, publicKey: { x: 1n, y: 1n } } },
      'signature',
    ],
    ['an empty signature', { signature: {} }, 'signature.r'],
  ])('refuses %s', (_, change, field) => {
    expect(() => readTempoTransaction({ ...request, ...change })).toThrow(expect.objectContaining({ field }))
  })
})
