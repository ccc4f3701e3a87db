import { runInNewContext } from 'node:vm'
import { type Transaction, VersionedTransaction } from '@solana/web3.js'
import { describe, expect, test, vi } from 'vitest'
import type { ChainAdapter } from '../../core/chainAdapter.ts'
import { formatBase58 } from '../encoding.ts'
import type { SolanaSigner } from '../signer/solanaSigner.ts'
import { customer, stranger } from '../solana.fixture.ts'
import { solanaAdapter } from '../solanaAdapter.ts'
import {
  address,
  asked,
  base,
  harmless,
  issuedAt,
  message,
  now,
  signBytes,
  signedTransaction,
  wallet,
  write,
} from './authMessage.fixture.ts'
import { signAuthMessage } from './signAuthMessage.ts'

type SignMessage = (bytes: Uint8Array) => Promise<Uint8Array | { signature: Uint8Array }>
/** Creates a customer wallet that signs text with this function. */
const connected = (signMessage: SignMessage): SolanaSigner => ({
  publicKey: customer.publicKey,
  signMessage,
})

describe('signAuthMessage', () => {
  const sign = (change: object = {}, signer: SolanaSigner = wallet) =>
    signAuthMessage(signer, { ...base, ...change })

  test.each<[kind: string, SolanaSigner]>([
    ['a keypair', customer],
    ['a Wallet Standard wallet', wallet],
    ['a wallet adapter', connected(async (bytes) => signBytes(bytes))],
    ['an injected wallet', connected(async (bytes) => ({ signature: signBytes(bytes) }))],
  ])("signs the message's bytes with %s", async (_kind, signer) => {
    expect(await sign({}, signer)).toEqual({
      signedMessage: formatBase58(signBytes(new TextEncoder().encode(message))),
      expiresAt: issuedAt / 1000 + 86_400,
    })
  })

  test('signs a transaction with a wallet that cannot sign text', async () => {
    const hardware: SolanaSigner = {
      publicKey: customer.publicKey,
      signTransaction: async <transaction extends Transaction | VersionedTransaction>(given: transaction) => {
        if (given instanceof VersionedTransaction) given.sign([customer])
        return given
      },
    }
    expect(await sign({ transaction: harmless }, hardware)).toMatchObject({
      signedMessage: signedTransaction,
    })
  })

  test.each([
    ['message.domain', write({ domain: 'evil.example' }), 'AuthMessageMismatchError'],
    ['message.domain', write({ domain: 'pay.example.evil.example' }), 'AuthMessageMismatchError'],
    ['message.domain', write({ domain: 'pay.example:8443' }), 'AuthMessageMismatchError'],
    ['message.URI', write({ URI: 'https://evil.example/api' }), 'AuthMessageMismatchError'],
    ['message.URI', write({ URI: 'https://pay.example@evil.example' }), 'AuthMessageMismatchError'],
    ['message.URI', write({ URI: 'https://a:b@pay.example' }), 'AuthMessageMismatchError'],
    ['message.URI', write({ URI: 'javascript:alert(1)' }), 'AuthMessageMismatchError'],
    ['message.URI', write({ URI: 'pay.example' }), 'AuthMessageMismatchError'],
    ['message.address', write({ address: stranger.publicKey.toBase58() }), 'AuthMessageMismatchError'],
    ['message.Chain ID', write({ 'Chain ID': 'solana:mainnet' }), 'WrongNetworkError'],
    ['message.Chain ID', write({ 'Chain ID': '1' }), 'WrongNetworkError'],
    [
      'message.Expiration Time',
      write({ 'Expiration Time': new Date(now()).toISOString() }),
      'AuthMessageExpiredError',
    ],
    [
      'message.Issued At',
      write({ 'Expiration Time': new Date(issuedAt + 86_400_000 + 60_001).toISOString() }),
      'AuthMessageExpiredError',
    ],
    [
      'message.Issued At',
      write({ 'Issued At': new Date(now() + 600_001).toISOString() }),
      'AuthMessageExpiredError',
    ],
    [
      'message.Issued At',
      write({}, `\nNot Before: ${new Date(now() + 600_001).toISOString()}`),
      'AuthMessageExpiredError',
    ],
    ['message', 'Please sign in', 'InvalidAuthMessageError'],
    ['message', message.replace('Solana', 'Ethereum'), 'InvalidAuthMessageError'],
  ])('does not prompt for a wrong %s', async (field, text, name) => {
    asked.mockClear()
    await expect(sign({ message: text })).rejects.toMatchObject({
      name,
      field,
      fix: expect.any(String),
    })
    expect(asked).not.toHaveBeenCalled()
  })

  test('checks the expiry with millisecond precision', async () => {
    const at = (milliseconds: number) => sign({ now: () => issuedAt + 86_400_000 + milliseconds })
    await expect(at(-1)).resolves.toBeDefined()
    await expect(at(0)).rejects.toMatchObject({ name: 'AuthMessageExpiredError' })
    await expect(at(1)).rejects.toMatchObject({ name: 'AuthMessageExpiredError' })
  })

  describe('signAuthMessage with plain text', () => {
    const plain = (text: string) => sign({ message: text, allowPlainText: true })

    test('signs it if allowed', async () => {
      expect(await plain('Nonce 7\nof the shop')).toMatchObject({ expiresAt: undefined })
    })

    test('still checks a text that is a sign-in', async () => {
      await expect(plain(write({ domain: 'evil.example' }))).rejects.toMatchObject({
        name: 'AuthMessageMismatchError',
      })
    })

    test.each([
      ['that poses as a sign-in', message.replace('Solana', 'Ethereum')],
      ['that poses as a sign-in', `${write({ domain: 'evil.example' })} `],
      ['that poses as a sign-in', 'evil.example WANTS YOU TO SIGN IN WITH YOUR Solana account'],
      ['that poses as a sign-in', 'evil.example wants you to sign\nin  with your Solana account'],
      ['that poses as a sign-in', 'Sign  in with your'],
      ['that could be a transaction', '\u0001\u0000\u0001'],
      ['that hides a part of itself', 'hidden \u202e text'],
      ['that is empty', ''],
    ])('does not sign text %s: %j', async (_label, text) => {
      await expect(plain(text)).rejects.toMatchObject({ name: 'InvalidAuthMessageError' })
    })
  })

  test.each([
    'https://pay.example\\@evil.example',
    'https:\\\\pay.example',
    'https:pay.example',
    'https://@pay.example',
    'https://\uff50ay.example',
    'https://pay.example/\u202e',
  ])('rejects a URI in which another parser could find a different host: %j', async (URI) => {
    await expect(sign({ message: write({ URI }) })).rejects.toMatchObject({ field: 'message.URI' })
  })

  test.each(['https://pay.example', 'https://pay.example/', 'https://pay.example?a=1#b'])(
    'takes the URI %s',
    async (URI) => {
      expect(await sign({ message: write({ URI }) })).toBeDefined()
    },
  )

  test('rejects a domain in which another parser could find a different host', async () => {
    // The Kelvin sign becomes a `k` in lower case.
    const kelvin = write({ domain: 'wor\u212a.example', URI: 'https://work.example' })
    await expect(sign({ domains: ['work.example'], message: kelvin })).rejects.toMatchObject({
      field: 'message',
    })
  })

  test('signs nothing with an invalid clock', async () => {
    await expect(sign({ now: () => Number.NaN })).rejects.toMatchObject({ name: 'InvalidClockError' })
  })

  test.each([undefined, 'pay.example', [5]])(
    'signs nothing if the allowed hosts are invalid: %j',
    async (domains) => {
      await expect(sign({ domains })).rejects.toMatchObject({ name: 'InvalidOptionError', field: 'domains' })
    },
  )

  test('signs only as the connected account', async () => {
    await expect(sign({ address: stranger.publicKey.toBase58() })).rejects.toMatchObject({
      name: 'WrongSignerError',
      field: 'address',
    })
  })

  test.each(['Transaction', 'text', '', null, 5, {}, Symbol('x')])(
    'rejects an invalid choice before any prompt: %s',
    async (use) => {
      asked.mockClear()
      await expect(sign({ transaction: harmless, use })).rejects.toMatchObject({
        name: 'InvalidOptionError',
        field: 'use',
      })
      expect(asked).not.toHaveBeenCalled()
    },
  )

  test.each([undefined, null, 'x'])('rejects missing options before any prompt: %s', async (options) => {
    asked.mockClear()
    await expect(signAuthMessage(wallet, options as never)).rejects.toMatchObject({
      name: 'InvalidOptionError',
      field: 'options',
    })
    expect(asked).not.toHaveBeenCalled()
  })
})

describe('a signer', () => {
  const sign = (signer: unknown) => signAuthMessage(signer as SolanaSigner, base)

  test.each([undefined, null, 5, 'x', { account: null, features: {} }, { account: { address } }])(
    'cannot be %j',
    async (signer) => {
      await expect(sign(signer)).rejects.toMatchObject({ name: 'WrongSignerError', field: 'signer' })
    },
  )

  test('that signs neither text nor transactions cannot sign in', async () => {
    await expect(sign({ publicKey: customer.publicKey })).rejects.toMatchObject({ name: 'WrongSignerError' })
  })

  test.each([
    'User rejected',
    { code: 4001 },
    { code: '4001', message: 'x' },
    { code: 'ACTION_REJECTED' },
    { error: 'User rejected' },
    { error: { code: 4001 } },
  ])('reports a rejection by the user: %j', async (error) => {
    await expect(sign(connected(() => Promise.reject(error)))).rejects.toMatchObject({
      name: 'UserRejectedError',
    })
  })

  test.each([undefined, null, 5, {}, new Error('locked')])('reports a failure: %s', async (error) => {
    await expect(sign(connected(() => Promise.reject(error)))).rejects.toMatchObject({
      name: 'WalletFailedError',
    })
  })

  test('is not prompted again after a rejection', async () => {
    const signTransaction = vi.fn()
    const refusing: SolanaSigner = {
      ...connected(() => Promise.reject(new Error('User rejected the request.'))),
      signTransaction,
    }
    await expect(signAuthMessage(refusing, { ...base, transaction: harmless })).rejects.toMatchObject({
      name: 'UserRejectedError',
    })
    expect(signTransaction).not.toHaveBeenCalled()
  })
})

describe('a wallet that', () => {
  const sign = (signer: SolanaSigner) => signAuthMessage(signer, base)
  const standard = (
    answer: (bytes: Uint8Array) => { signedMessage: Uint8Array; signature: Uint8Array },
  ): SolanaSigner => ({
    account: { address },
    features: {
      'solana:signMessage': {
        signMessage: async (input: { message: Uint8Array }) => [answer(input.message)],
      },
    },
  })
  /** Writes a different text into the given array, and signs it. */
  const overwrite = (bytes: Uint8Array) => {
    bytes.set(new TextEncoder().encode('evil'), 0)
    return signBytes(bytes)
  }

  test.each<[what: string, error: string, SolanaSigner]>([
    [
      'answers in hex',
      'WrongSignatureError',
      connected(async (bytes) => ({ signature: Buffer.from(signBytes(bytes)).toString('hex') as never })),
    ],
    [
      'switched to another account',
      'WrongSignatureError',
      connected(async (bytes) => signBytes(bytes, stranger)),
    ],
    [
      'signed a different text, and reports it',
      'ChangedByWalletError',
      standard((bytes) => {
        const signedMessage = Uint8Array.from([0xff, ...bytes])
        return { signedMessage, signature: signBytes(signedMessage) }
      }),
    ],
    [
      'writes a different text into the given array, and reports it',
      'ChangedByWalletError',
      standard((bytes) => ({ signature: overwrite(bytes), signedMessage: bytes })),
    ],
    [
      'writes a different text into the given array, and does not report it',
      'WrongSignatureError',
      standard((bytes) => ({ signature: overwrite(bytes) }) as never),
    ],
    [
      'writes a different text into the given array, and returns only a signature',
      'WrongSignatureError',
      connected(async (bytes) => overwrite(bytes)),
    ],
  ])('%s: %s', async (_what, name, signer) => {
    await expect(sign(signer)).rejects.toMatchObject({ name })
  })

  test('returns bytes from another window is accepted', async () => {
    const foreign = runInNewContext('(bytes) => Uint8Array.from(bytes)')
    const other = connected(async (bytes) => foreign(signBytes(bytes)))
    expect(await sign(other)).toEqual(await sign(customer))
  })
})

describe('solanaAdapter', () => {
  const adapter: ChainAdapter = solanaAdapter({ signer: wallet, environment: 'sandbox' })
  const challenge = { message, transaction: harmless }
  const expected = { domains: ['pay.example'], now }

  test("is core's chain adapter for Solana", () => {
    expect(adapter).toMatchObject({ family: 'solana', blockchain: 'solana' })
  })

  test("returns the wallet's address", async () => {
    expect(await adapter.getAddress()).toBe(address)
  })

  test('verifies its own signature', async () => {
    const signed = await adapter.signAuthMessage(challenge, expected)
    expect(await adapter.verifyAuthMessage(challenge, signed)).toBe(true)
  })

  test('does not verify its signature for another message', async () => {
    const signed = await adapter.signAuthMessage(challenge, expected)
    expect(await adapter.verifyAuthMessage({ message: 'another' }, signed)).toBe(false)
  })

  test('signs and verifies a transaction if requested', async () => {
    const hardware = solanaAdapter({ signer: wallet, environment: 'sandbox', use: 'transaction' })
    const signed = await hardware.signAuthMessage(challenge, expected)
    expect(signed.signedMessage.length).toBeGreaterThan(500)
    expect(await hardware.verifyAuthMessage(challenge, signed)).toBe(true)
  })

  test('rejects another network', () => {
    expect(() => solanaAdapter({ signer: wallet, environment: 'devnet' as never })).toThrow(
      expect.objectContaining({ name: 'UnknownNetworkError' }),
    )
  })

  test.each([undefined, null, 'x'])('rejects %s as options', (options) => {
    expect(() => solanaAdapter(options as never)).toThrow(
      expect.objectContaining({ name: 'InvalidOptionError', field: 'options' }),
    )
  })
})
