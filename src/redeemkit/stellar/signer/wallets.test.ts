import { type Keypair, Transaction, xdr } from '@stellar/stellar-sdk'
import { describe, expect, test } from 'vitest'
import { messageDigest } from '../authMessage/messageDigest.ts'
import { type StellarWallet, signAuthEntry, signTransaction } from '../index.ts'
import {
  build,
  call,
  customer,
  entry,
  from,
  network,
  networkPassphrase,
  payment,
  stranger,
} from '../stellar.fixture.ts'
import { base, entryWallet } from '../transaction/transaction.fixture.ts'
import { toSigner } from './toSigner.ts'

/*
 * Shapes of answers, by their origin: Freighter (stellar/freighter, @stellar/freighter-api 3 to 6), Creit-Tech/Stellar-Wallets-Kit
 * src/sdk/modules (xBull, Albedo, LOBSTR, Rabet, WalletConnect) and issue 68, @albedo-link/intent, whose closed window resolves, SEP-43 of versions 1.1 and 1.2.
 */
const unsigned = build().toXDR()
const signedXdr = (() => {
  const transaction = new Transaction(unsigned, networkPassphrase)
  transaction.sign(customer)
  return transaction.toXDR()
})()
const signWith = (answer: unknown, more: Partial<StellarWallet> = {}) =>
  signTransaction(
    { getAddress: async () => ({ address: from }), signTransaction: async () => answer, ...more },
    { ...base, transaction: unsigned, expected: payment },
  )

describe('a signed transaction', () => {
  test.each<[string, unknown]>([
    ['Freighter', { signedTxXdr: signedXdr, signerAddress: from }],
    ['Freighter, with an empty error', { signedTxXdr: signedXdr, signerAddress: from, error: undefined }],
    ['SEP-43 1.1', { signed_tx_xdr: signedXdr, signer_address: from }],
    ['xBull, LOBSTR and Freighter’s first API', signedXdr],
    ['the kit without signer', { signedTxXdr: signedXdr, signerAddress: undefined }],
    ['WalletConnect', { signedXDR: signedXdr }],
    [
      'Albedo',
      {
        intent: 'tx',
        xdr: unsigned,
        pubkey: from,
        signed_envelope_xdr: signedXdr,
        tx_hash: '00',
        network: 'testnet',
        submit: false,
      },
    ],
    ['Rabet', { xdr: signedXdr }],
  ])('of %s is taken', async (_, answer) => {
    expect(await signWith(answer)).toBe(signedXdr)
  })
  test.each<[string, unknown, string]>([
    [
      'Freighter’s no',
      { signedTxXdr: '', signerAddress: '', error: { code: -4, message: 'The user rejected this request.' } },
      'UserRejectedError',
    ],
    [
      'Albedo’s closed window',
      { code: -4, message: 'Action request was rejected by the user.' },
      'UserRejectedError',
    ],
    ['SEP-43 1.1’s no', { code: -4, message: 'Rejected by the user.' }, 'UserRejectedError'],
    [
      'SEP-43 1.1’s failure',
      { code: -2, message: 'External error occurred.', ext: ['x'] },
      'WalletFailedError',
    ],
    ['an unsigned transaction', { signedTxXdr: unsigned }, 'InvalidSignatureError'],
    ['no text', { signedTxXdr: '' }, 'InvalidBase64Error'],
    [
      'the signature of another',
      { signed_tx_xdr: signedXdr, signer_address: stranger.publicKey() },
      'WrongSignatureError',
    ],
  ])('that is %s is an error of its own', async (_, answer, name) => {
    await expect(signWith(answer)).rejects.toMatchObject({ name })
  })
  test.each<[string, unknown, string]>([
    ['Albedo’s no', { code: -4, message: 'Action request was rejected by the user.' }, 'UserRejectedError'],
    ['xBull’s closed window', { code: -1, message: 'no elements in sequence' }, 'UserRejectedError'],
    ['xBull’s no', { code: -1, message: 'Request rejected from the wallet' }, 'UserRejectedError'],
    [
      'a method that is not there',
      { code: -3, message: 'xBull does not support the "signTransaction" function' },
      'WalletFailedError',
    ],
  ])('%s, thrown, is an error of its own', async (_, error, name) => {
    const failing = async () => {
      throw error
    }
    await expect(signWith(undefined, { signTransaction: failing })).rejects.toMatchObject({ name })
  })
})

describe('a signed text', () => {
  const digest = messageDigest('hello')
  const signature = customer.sign(Buffer.from(digest))
  const once = signature.toString('base64')
  test.each<[string, unknown]>([
    ['Freighter from API 5 on', { signedMessage: once, signerAddress: from }],
    [
      'Freighter of API 3 and 4',
      { signedMessage: { type: 'Buffer', data: [...signature] }, signerAddress: from },
    ],
    [
      'the kit, which encodes twice',
      { signedMessage: Buffer.from(once).toString('base64'), signerAddress: from },
    ],
    ['SEP-43 1.1', { signed_message: once, signer_address: from }],
    ['SEP-43’s hex', { signedMessage: signature.toString('hex') }],
  ])('of %s is taken', async (_, answer) => {
    const wallet = { getAddress: async () => ({ address: from }), signMessage: async () => answer }
    const { sign } = await toSigner(wallet, network)
    expect(Buffer.from(await sign('signMessage', 'hello', digest))).toEqual(signature)
  })
  test('that was encoded twice and is none is a typed error', async () => {
    const signedMessage = Buffer.from('?'.repeat(88)).toString('base64')
    const wallet = { getAddress: async () => from, signMessage: async () => ({ signedMessage }) }
    const { sign } = await toSigner(wallet, network)
    await expect(sign('signMessage', 'hello', digest)).rejects.toMatchObject({ name: 'InvalidBase64Error' })
  })
})

describe('a signed authorization', () => {
  const asked = { ...base, authEntry: entry().toXDR('base64'), expected: call }
  const signWithKey = (key: Keypair) => signAuthEntry(key, asked)
  test.each<[string, (signature: string, whole: string) => unknown]>([
    ['its signature', (signature) => ({ signedAuthEntry: signature, signerAddress: from })],
    ['its signature alone', (signature) => signature],
    ['its signature as a Buffer', (signature) => ({ signedAuthEntry: Buffer.from(signature, 'base64') })],
    ['its signature in SEP-43 1.1’s spelling', (signature) => ({ signed_auth_entry: signature })],
    ['the whole entry', (_, whole) => ({ signedAuthEntry: whole })],
  ])('is taken by %s', async (_, shape) => {
    const whole = await signWithKey(customer)
    const wallet = {
      getAddress: entryWallet.getAddress,
      signAuthEntry: async (preimage: string) =>
        shape((await entryWallet.signAuthEntry(preimage)).signedAuthEntry, whole),
    }
    expect(await signAuthEntry(wallet, asked)).toBe(whole)
  })
  test('by the whole entry of another call is refused', async () => {
    const other = xdr.SorobanAuthorizationEntry.fromXDR(await signWithKey(customer), 'base64')
    const signature = stranger.sign(Buffer.alloc(32))
    other.credentials().address().signature().vec()?.[0]?.map()?.[1]?.val(xdr.ScVal.scvBytes(signature))
    const wallet = {
      getAddress: entryWallet.getAddress,
      signAuthEntry: async () => ({ signedAuthEntry: other.toXDR('base64') }),
    }
    await expect(signAuthEntry(wallet, asked)).rejects.toMatchObject({ name: 'WrongSignatureError' })
  })
})
