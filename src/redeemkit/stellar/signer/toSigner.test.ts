import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { messageDigest } from '../authMessage/parseAuthMessage.ts'
import { signAuthEntry, signTransaction } from '../index.ts'
import { networkOf } from '../networks.ts'
import { Keypair, Transaction, xdr } from '../sdk.ts'
import {
  base,
  build,
  call,
  customer,
  entry,
  entryWallet,
  from,
  networkPassphrase,
  payment,
  stranger,
} from '../stellar.fixture.ts'
import { type StellarWallet, toSigner } from './toSigner.ts'

const network = networkOf('sandbox')
const key = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 9))
const other = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 8))
const address = key.publicKey()
const message = 'hello'
const digest = messageDigest(message)
const signature = Buffer.from(key.sign(Buffer.from(digest)))
const wallet = (answer: unknown, more: Partial<StellarWallet> = {}): StellarWallet => ({
  getAddress: async () => ({ address }),
  getNetwork: async () => ({ network: 'TESTNET', networkPassphrase: network.networkPassphrase }),
  signMessage: async () => answer,
  ...more,
})
const sign = async (signer: Parameters<typeof toSigner>[0]) =>
  (await toSigner(signer, network)).sign('signMessage', message, digest)

describe('answers of wallets', () => {
  test.each<[string, unknown]>([
    ['base64 text', { signedMessage: signature.toString('base64'), signerAddress: address }],
    ['a Buffer', { signedMessage: signature, signerAddress: address }],
    ['a byte array', { signedMessage: new Uint8Array(signature) }],
    ['a Buffer that went through JSON', { signedMessage: JSON.parse(JSON.stringify(signature)) }],
    ['a list of numbers', { signedMessage: [...signature] }],
    ['hex text', { signedMessage: signature.toString('hex') }],
    ['an ArrayBuffer', { signedMessage: new Uint8Array(signature).buffer }],
    [
      'a byte array from another realm',
      { signedMessage: runInNewContext('Uint8Array.from(list)', { list: [...signature] }) },
    ],
    ['plain text', signature.toString('base64')],
    ['an empty error', { signedMessage: signature, error: undefined }],
  ])('%s is accepted as a signature', async (_, answer) => {
    expect(Buffer.from(await sign(wallet(answer)))).toEqual(signature)
  })
  test.each<[string, unknown, string]>([
    ['an error of SEP-43', { error: { code: -4, message: 'Rejected by the user.' } }, 'UserRejectedError'],
    [
      'Freighter’s rejection',
      {
        signedMessage: '',
        signerAddress: '',
        error: { code: -4, message: 'The user rejected this request.' },
      },
      'UserRejectedError',
    ],
    ['a rejection as text', { error: 'User declined access' }, 'UserRejectedError'],
    ['a closed window', { error: { code: -1, message: 'The user closed the modal.' } }, 'UserRejectedError'],
    [
      'WalletConnect’s rejection',
      { error: { code: 5000, message: 'User disapproved.' } },
      'UserRejectedError',
    ],
    ['a wrong request', { error: { code: -3, message: 'Request rejected: malformed' } }, 'WalletFailedError'],
    [
      'another network',
      { error: 'Transaction rejected: account is on another network' },
      'WalletFailedError',
    ],
    ['a timeout', { error: 'Request cancelled because of timeout' }, 'WalletFailedError'],
    [
      'an error without a prototype',
      { error: Object.assign(Object.create(null), { code: 1 }) },
      'WalletFailedError',
    ],
    ['an internal error', { error: { code: -1, message: 'Unhandled error occurred.' } }, 'WalletFailedError'],
    [
      'an error next to a signature',
      { signedMessage: signature, error: { code: -3, message: 'Request is invalid.' } },
      'WalletFailedError',
    ],
    ['nothing', undefined, 'WalletFailedError'],
    ['null', null, 'WalletFailedError'],
    ['a number', 5, 'WalletFailedError'],
    ['no signature', { signedMessage: null, signerAddress: address }, 'InvalidSignatureError'],
    ['63 bytes', { signedMessage: signature.subarray(1) }, 'InvalidSignatureError'],
    ['65 bytes', { signedMessage: Buffer.concat([signature, Buffer.alloc(1)]) }, 'InvalidSignatureError'],
    [
      'numbers that are not bytes',
      { signedMessage: [...signature].map((byte) => byte + 256) },
      'InvalidSignatureError',
    ],
    ['truncated base64', { signedMessage: signature.toString('base64').slice(0, -1) }, 'InvalidBase64Error'],
    ['hex of another length', { signedMessage: signature.toString('hex').slice(2) }, 'InvalidBase64Error'],
    [
      'hex of a signature by another key',
      { signedMessage: other.sign(Buffer.from(digest)).toString('hex') },
      'WrongSignatureError',
    ],
    [
      'another address',
      { signedMessage: signature, signerAddress: other.publicKey() },
      'WrongSignatureError',
    ],
    [
      'another key',
      { signedMessage: other.sign(Buffer.from(digest)), signerAddress: address },
      'WrongSignatureError',
    ],
    [
      'another text',
      { signedMessage: key.sign(Buffer.from(messageDigest('hello!'))) },
      'WrongSignatureError',
    ],
    [
      "a signature of the text itself, without SEP-53's prefix",
      { signedMessage: key.sign(Buffer.from(message)) },
      'WrongSignatureError',
    ],
  ])('throws a typed error for %s: %s', async (_, answer, name) => {
    const error: unknown = await sign(wallet(answer)).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name, fix: expect.any(String) })
    expect(String(error)).not.toContain(signature.toString('base64'))
  })
  test('a flipped bit anywhere in the signature is rejected', async () => {
    for (let at = 0; at < 64; at += 1) {
      const changed = Buffer.from(signature)
      changed[at] = (changed[at] ?? 0) ^ 1
      await expect(sign(wallet({ signedMessage: changed }))).rejects.toMatchObject({
        name: 'WrongSignatureError',
      })
    }
  })
  test.each<[string, unknown, string]>([
    ['a rejection', new Error('User rejected'), 'UserRejectedError'],
    ['only a code', { code: -4 }, 'UserRejectedError'],
    ['the code of EIP-1193', { code: 4001 }, 'UserRejectedError'],
    ['a nested code', { error: { code: -4 } }, 'UserRejectedError'],
    ['a nested rejection as text', { error: 'User declined access' }, 'UserRejectedError'],
    ['a rejection as text', 'User rejected', 'UserRejectedError'],
    ['another error', new Error('locked'), 'WalletFailedError'],
    ['nothing', undefined, 'WalletFailedError'],
  ])('if the wallet throws %s, signing throws a typed error', async (_, error, name) => {
    const signMessage = async () => {
      throw error
    }
    await expect(sign(wallet(undefined, { signMessage }))).rejects.toMatchObject({ name })
  })
})

describe('before any prompt', () => {
  const asked = async () => {
    throw new Error('asked')
  }
  test.each<[string, () => Promise<unknown>]>([
    ['another network', async () => ({ networkPassphrase: networkOf('prod').networkPassphrase })],
    ['no network', async () => ({})],
    ['another network as text', async () => networkOf('prod').networkPassphrase],
  ])('a wallet that reports %s is refused', async (_, getNetwork) => {
    await expect(sign(wallet(undefined, { getNetwork, signMessage: asked }))).rejects.toMatchObject({
      name: 'WrongNetworkError',
      field: 'networkPassphrase',
    })
  })
  test.each<[string, unknown]>([
    ['text', 'locked'],
    ['an object', { code: -1, message: 'locked' }],
  ])('a wallet whose getNetwork fails with %s is refused', async (_, error) => {
    const getNetwork = async () => ({ error })
    await expect(sign(wallet(undefined, { getNetwork, signMessage: asked }))).rejects.toMatchObject({
      name: 'WalletFailedError',
    })
  })
  test.each([-3, '-3'])('a wallet that does not support getNetwork (%s) is accepted', async (code) => {
    const getNetwork = async () => {
      throw { code, message: 'The wallet does not support the "getNetwork" function' }
    }
    expect(Buffer.from(await sign(wallet({ signedMessage: signature }, { getNetwork })))).toEqual(signature)
  })
  test('a class with static methods is a wallet', async () => {
    // A JavaScript class is a function, and its static methods can be a wallet's.
    const Kit = Object.assign(() => undefined, {
      getAddress: async () => ({ address }),
      signMessage: async () => ({ signedMessage: signature.toString('base64'), signerAddress: address }),
    })
    expect(Buffer.from(await sign(Kit))).toEqual(signature)
  })
  test.each<[string, () => Promise<unknown>]>([
    ['an empty field', async () => ({ address: '' })],
    ['empty text', async () => ''],
  ])('a wallet without an account (%s) must be connected first', async (_, getAddress) => {
    await expect(sign(wallet(undefined, { getAddress, signMessage: asked }))).rejects.toMatchObject({
      name: 'WalletFailedError',
      fix: expect.stringContaining('connect'),
    })
  })
  test('each request contains address and passphrase', async () => {
    const seen: unknown[] = []
    const signer = wallet(undefined, {
      signMessage: async (...args: unknown[]) => {
        seen.push(args)
        return { signedMessage: signature }
      },
    })
    await sign(signer)
    expect(seen).toEqual([[message, { address, networkPassphrase: network.networkPassphrase }]])
  })
  test.each<[string, () => Promise<unknown>, string]>([
    ['an invalid address', async () => ({ address: 'MABC' }), 'InvalidAddressError'],
    ['an error', async () => ({ error: 'x' }), 'WalletFailedError'],
  ])('a wallet that returns %s as its address is refused', async (_, getAddress, name) => {
    await expect(sign(wallet(undefined, { getAddress }))).rejects.toMatchObject({ name })
  })
  test('the wallet must have the method', async () => {
    await expect(sign({ getAddress: async () => ({ address }) })).rejects.toMatchObject({
      name: 'WalletFailedError',
    })
  })
  test.each<[string, unknown, object]>([
    ['nothing', undefined, { name: 'WalletFailedError', field: 'signer' }],
    ['an empty object', {}, { name: 'WalletFailedError' }],
  ])('%s is not a signer', async (_, signer, error) => {
    await expect(sign(signer as never)).rejects.toMatchObject(error)
  })
  const locked = () => {
    throw new Error('locked')
  }
  test.each<[string, unknown]>([
    ['is not a function', address],
    ['fails', locked],
  ])('a key pair whose public key %s is rejected', async (_, publicKey) => {
    await expect(sign({ publicKey, sign: () => new Uint8Array(64) } as never)).rejects.toMatchObject({
      name: 'WalletFailedError',
      field: 'signer',
    })
  })
  test('a key pair without its secret is rejected', async () => {
    await expect(sign(Keypair.fromPublicKey(address))).rejects.toMatchObject({ name: 'WalletFailedError' })
  })
})

test('if a seed is passed instead of a wallet, the error shows only its type and length', async () => {
  const seed = key.secret()
  // An untyped caller can pass any value.
  const error: unknown = await sign(seed as never).catch((error: unknown) => error)
  expect(String(error)).toContain('got text of 56 characters')
  expect(String(error)).not.toContain(seed.slice(0, 6))
  for (const text of ['short', '7Ff2mXq9cT4vLw8hRbYz3N6kPdJs5GuAeB1iVoWt'])
    await expect(sign(text as never)).rejects.toThrow(`got text of ${text.length} characters`)
})

/*
 * Wallet answers by origin: Freighter (stellar/freighter, @stellar/freighter-api 3 to 6);
 * Creit-Tech/Stellar-Wallets-Kit src/sdk/modules (xBull, Albedo, LOBSTR, Rabet, WalletConnect) and its issue 68;
 * @albedo-link/intent, which resolves when its window is closed; SEP-43 versions 1.1 and 1.2.
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
    ['the kit without a signer address', { signedTxXdr: signedXdr, signerAddress: undefined }],
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
  ])('from %s is accepted', async (_, answer) => {
    expect(await signWith(answer)).toBe(signedXdr)
  })
  test.each<[string, unknown, string]>([
    [
      'Freighter’s rejection',
      { signedTxXdr: '', signerAddress: '', error: { code: -4, message: 'The user rejected this request.' } },
      'UserRejectedError',
    ],
    [
      'Albedo’s closed window',
      { code: -4, message: 'Action request was rejected by the user.' },
      'UserRejectedError',
    ],
    ['SEP-43 1.1’s rejection', { code: -4, message: 'Rejected by the user.' }, 'UserRejectedError'],
    [
      'SEP-43 1.1’s failure',
      { code: -2, message: 'External error occurred.', ext: ['x'] },
      'WalletFailedError',
    ],
    ['an unsigned transaction', { signedTxXdr: unsigned }, 'InvalidSignatureError'],
    ['empty text', { signedTxXdr: '' }, 'InvalidBase64Error'],
    [
      "another account's signature",
      { signed_tx_xdr: signedXdr, signer_address: stranger.publicKey() },
      'WrongSignatureError',
    ],
  ])('that is %s throws a typed error', async (_, answer, name) => {
    await expect(signWith(answer)).rejects.toMatchObject({ name })
  })
  test.each<[string, unknown, string]>([
    [
      'Albedo’s rejection',
      { code: -4, message: 'Action request was rejected by the user.' },
      'UserRejectedError',
    ],
    ['xBull’s closed window', { code: -1, message: 'no elements in sequence' }, 'UserRejectedError'],
    ['xBull’s rejection', { code: -1, message: 'Request rejected from the wallet' }, 'UserRejectedError'],
    [
      'an unsupported method',
      { code: -3, message: 'xBull does not support the "signTransaction" function' },
      'WalletFailedError',
    ],
  ])('if the wallet throws %s, signing throws a typed error', async (_, error, name) => {
    const failing = async () => {
      throw error
    }
    await expect(signWith(undefined, { signTransaction: failing })).rejects.toMatchObject({ name })
  })
})

describe('a signed text', () => {
  const digest = messageDigest('hello')
  const signature = Buffer.from(customer.sign(Buffer.from(digest)))
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
  ])('from %s is accepted', async (_, answer) => {
    const wallet = { getAddress: async () => ({ address: from }), signMessage: async () => answer }
    const { sign } = await toSigner(wallet, network)
    expect(Buffer.from(await sign('signMessage', 'hello', digest))).toEqual(signature)
  })
  test('that is encoded twice and invalid throws a typed error', async () => {
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
    ['only its signature', (signature) => signature],
    ['its signature as a Buffer', (signature) => ({ signedAuthEntry: Buffer.from(signature, 'base64') })],
    ['its signature in SEP-43 1.1’s spelling', (signature) => ({ signed_auth_entry: signature })],
    ['the whole entry', (_, whole) => ({ signedAuthEntry: whole })],
  ])('is accepted as %s', async (_, shape) => {
    const whole = await signWithKey(customer)
    const wallet = {
      getAddress: entryWallet.getAddress,
      signAuthEntry: async (preimage: string) =>
        shape((await entryWallet.signAuthEntry(preimage)).signedAuthEntry, whole),
    }
    expect(await signAuthEntry(wallet, asked)).toBe(whole)
  })
  test('is refused if the wallet returns the whole entry of another call', async () => {
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
