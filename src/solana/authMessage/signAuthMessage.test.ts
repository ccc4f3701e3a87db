import { runInNewContext } from 'node:vm'
import {
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { InvalidAuthMessageError } from '../../core/authMessage/authMessageErrors.ts'
import type { ChainAdapter } from '../../core/chainAdapter.ts'
import { formatBase58 } from '../encoding/formatBase58.ts'
import { parseBase58 } from '../encoding/parseBase58.ts'
import { programs } from '../instruction/programs.ts'
import type { SolanaSigner } from '../signer/solanaSigner.ts'
import { solanaAdapter } from '../solanaAdapter.ts'
import { parseAuthMessage } from './parseAuthMessage.ts'
import { signAuthMessage } from './signAuthMessage.ts'
import { verifyAuthMessage } from './verifyAuthMessage.ts'

const keypair = (seed: number) => Keypair.fromSeed(new Uint8Array(32).fill(seed))
const [customer, stranger] = [keypair(1), keypair(2)]
const address = customer.publicKey.toBase58()
const issuedAt = Date.UTC(2026, 10, 20, 12)
const now = () => issuedAt + 1000
const lines = {
  domain: 'pay.example',
  address,
  statement: 'Sign in to the payments service.',
  URI: 'https://pay.example/api',
  Version: '1',
  'Chain ID': 'solana:devnet',
  Nonce: '0123456789abcdef',
  'Issued At': new Date(issuedAt).toISOString(),
  'Expiration Time': new Date(issuedAt + 86_400_000).toISOString(),
}
function write(change: Partial<typeof lines> = {}, more = ''): string {
  const { domain, address: wallet, statement, ...fields } = { ...lines, ...change }
  const rest = Object.entries(fields).map(([label, value]) => `${label}: ${value}`)
  return `${domain} wants you to sign in with your Solana account:\n${wallet}\n\n${statement}\n\n${rest.join('\n')}${more}`
}
const message = write()
const base = { message, environment: 'sandbox', domains: ['pay.example'], now } as const

/** A sign-in transaction as web3.js makes it. */
function memoTransaction(
  options: {
    text?: string
    blockhash?: string
    payer?: PublicKey
    extra?: TransactionInstruction[]
    keys?: TransactionInstruction['keys']
    programId?: string
  } = {},
): Transaction {
  const {
    text = message,
    blockhash = programs.system,
    payer = customer.publicKey,
    extra = [],
    keys = [],
    programId = programs.memo,
  } = options
  return new Transaction({ feePayer: payer, blockhash, lastValidBlockHeight: 0 }).add(
    new TransactionInstruction({ programId: new PublicKey(programId), keys, data: Buffer.from(text) }),
    ...extra,
  )
}
const wire = (transaction: Transaction | VersionedTransaction) =>
  formatBase58(
    transaction instanceof Transaction
      ? transaction.serialize({ requireAllSignatures: false, verifySignatures: false })
      : transaction.serialize(),
  )
const harmless = wire(memoTransaction())

const asked = vi.fn()
/** A wallet whose every prompt is counted. */
const wallet: SolanaSigner = {
  account: { address },
  features: {
    'solana:signMessage': {
      signMessage: async ({ message: bytes }) => {
        asked()
        const { signMessage } = await signerOf()
        return [{ signedMessage: bytes, signature: signMessage(bytes) }]
      },
    },
    'solana:signTransaction': {
      signTransaction: async ({ transaction }) => {
        asked()
        const read = VersionedTransaction.deserialize(transaction)
        read.sign([customer])
        return [{ signedTransaction: read.serialize() }]
      },
    },
  },
}
async function signerOf(key = customer) {
  const { ed25519 } = await import('@noble/curves/ed25519.js')
  return { signMessage: (bytes: Uint8Array) => ed25519.sign(bytes, key.secretKey.slice(0, 32)) }
}

describe('parseAuthMessage', () => {
  test('reads the fields', () => {
    expect(parseAuthMessage(message)).toEqual({
      domain: 'pay.example',
      address,
      statement: lines.statement,
      uri: 'https://pay.example/api',
      chainId: 'solana:devnet',
      nonce: '0123456789abcdef',
      issuedAt,
      expiresAt: issuedAt + 86_400_000,
      notBefore: undefined,
    })
    expect(parseAuthMessage(message.replace(`${lines.statement}\n\n`, '')).statement).toBeUndefined()
    expect(
      parseAuthMessage(
        write({}, `\nNot Before: ${lines['Issued At']}\nRequest ID: 7\nResources:\n- https://a.example`),
      ).notBefore,
    ).toBe(issuedAt)
  })

  test.each([
    '',
    'hello',
    ` ${message}`,
    `${message}\n`,
    `${message} `,
    message.replaceAll('\n', '\r\n'),
    message.replace('Solana', 'Ethereum'),
    message.replace('Version: 1', 'Version: 2'),
    message.replace('Nonce: 0123456789abcdef\n', ''),
    message.replace('Nonce: ', 'Nonce:  '),
    message.replace('Chain ID', 'Chain Id'),
    write({ Nonce: '1234567' }),
    write({ Nonce: '12345678-' }),
    write({ domain: 'https://pay.example' }),
    write({ domain: 'user@pay.example' }),
    write({ statement: 'two\nlines' }),
    write({ statement: 'right-to-left \u202e' }),
    write({ 'Issued At': '2026-11-20 12:00:00Z' }),
    write({ 'Issued At': '2026-02-30T12:00:00Z' }),
    write({ 'Issued At': '2026-11-20T24:00:00Z' }),
    write({ 'Expiration Time': 'tomorrow' }),
    write({ 'Expiration Time': '1795000000' }),
    write({}, '\nUnknown: field'),
    undefined,
    7,
  ])('refuses %j', (text) => {
    // Garbage on purpose: what callers without types pass.
    expect(() => parseAuthMessage(text as never)).toThrow(InvalidAuthMessageError)
  })

  test('has one error for garbage, and for a good text with any change to its frame', () => {
    const change = fc.tuple(
      fc.nat({ max: message.length }),
      fc.string({ maxLength: 3, unit: 'binary' }),
      fc.nat({ max: 3 }),
    )
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), change), (input) => {
        const text =
          typeof input === 'string'
            ? input
            : message.slice(0, input[0]) + input[1] + message.slice(input[0] + input[2])
        try {
          const parsed = parseAuthMessage(text)
          expect(Number.isFinite(parsed.expiresAt + parsed.issuedAt)).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidAuthMessageError)
        }
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('signAuthMessage', () => {
  test("signs the message's bytes, with any kind of wallet", async () => {
    const { signMessage } = await signerOf()
    const expected = formatBase58(signMessage(new TextEncoder().encode(message)))
    const adapter: SolanaSigner = {
      publicKey: customer.publicKey,
      signMessage: async (bytes) => signMessage(bytes),
    }
    const injected: SolanaSigner = {
      publicKey: customer.publicKey,
      signMessage: async (bytes) => ({ signature: signMessage(bytes) }),
    }
    for (const signer of [customer, wallet, adapter, injected])
      expect(await signAuthMessage(signer, base)).toEqual({
        signedMessage: expected,
        expiresAt: issuedAt / 1000 + 86_400,
      })
    expect(await verifyAuthMessage({ address, message, signedMessage: expected })).toBe(true)
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
  ])('does not ask for a signature of a wrong %s', async (field, text, name) => {
    asked.mockClear()
    await expect(signAuthMessage(wallet, { ...base, message: text })).rejects.toMatchObject({
      name,
      field,
      fix: expect.any(String),
    })
    expect(asked).not.toHaveBeenCalled()
  })

  test('holds the expiry to the millisecond', async () => {
    const at = (milliseconds: number) =>
      signAuthMessage(customer, { ...base, now: () => issuedAt + 86_400_000 + milliseconds })
    await expect(at(-1)).resolves.toBeDefined()
    await expect(at(0)).rejects.toMatchObject({ name: 'AuthMessageExpiredError' })
    await expect(at(1)).rejects.toMatchObject({ name: 'AuthMessageExpiredError' })
  })

  test('signs plain text only when told to, and nothing that poses as a sign-in or could be a transaction', async () => {
    const plain = (text: string) =>
      signAuthMessage(customer, { ...base, message: text, allowPlainText: true })
    expect(await plain('Nonce 7\nof the shop')).toMatchObject({ expiresAt: undefined })
    await expect(plain(write({ domain: 'evil.example' }))).rejects.toMatchObject({
      name: 'AuthMessageMismatchError',
    })
    for (const text of [
      message.replace('Solana', 'Ethereum'),
      `${write({ domain: 'evil.example' })} `,
      'evil.example WANTS YOU TO SIGN IN WITH YOUR Solana account',
      '\u0001\u0000\u0001',
      'hidden \u202e text',
      '',
    ])
      await expect(plain(text)).rejects.toMatchObject({ name: 'InvalidAuthMessageError' })
  })

  test('takes no URI and no domain that another reader could read as another host', async () => {
    const sign = (change: Partial<typeof lines>, domains = ['pay.example']) =>
      signAuthMessage(customer, { ...base, domains, message: write(change) })
    for (const URI of [
      'https://pay.example\\@evil.example',
      'https:\\\\pay.example',
      'https:pay.example',
      'https://@pay.example',
      'https://\uff50ay.example',
      'https://pay.example/\u202e',
    ])
      await expect(sign({ URI })).rejects.toMatchObject({ field: 'message.URI' })
    for (const URI of ['https://pay.example', 'https://pay.example/', 'https://pay.example?a=1#b'])
      expect(await sign({ URI })).toBeDefined()
    // The Kelvin sign becomes a `k` in lower case.
    await expect(
      sign({ domain: 'wor\u212a.example', URI: 'https://work.example' }, ['work.example']),
    ).rejects.toMatchObject({ field: 'message' })
    for (const text of ['evil.example wants you to sign\nin  with your Solana account', 'Sign  in with your'])
      await expect(
        signAuthMessage(customer, { ...base, message: text, allowPlainText: true }),
      ).rejects.toMatchObject({ name: 'InvalidAuthMessageError' })
  })

  test('signs nothing by a clock or for hosts that are none', async () => {
    await expect(signAuthMessage(customer, { ...base, now: () => Number.NaN })).rejects.toMatchObject({
      name: 'InvalidClockError',
    })
    for (const domains of [undefined, 'pay.example', [5]])
      await expect(signAuthMessage(customer, { ...base, domains: domains as never })).rejects.toMatchObject({
        field: 'domains',
      })
  })

  test('has a typed error for every shape of a no, and for what is no signer or signature', async () => {
    const thrown = (error: unknown) =>
      signAuthMessage({ publicKey: customer.publicKey, signMessage: () => Promise.reject(error) }, base)
    for (const error of [
      'User rejected',
      { code: 4001 },
      { code: '4001', message: 'x' },
      { code: 'ACTION_REJECTED' },
      { error: 'User rejected' },
      { error: { code: 4001 } },
    ])
      await expect(thrown(error)).rejects.toMatchObject({ name: 'UserRejectedError' })
    for (const error of [undefined, null, 5, {}, new Error('locked')])
      await expect(thrown(error)).rejects.toMatchObject({ name: 'WalletFailedError' })
    for (const signer of [undefined, null, 5, 'x', { account: null, features: {} }, { account: { address } }])
      await expect(signAuthMessage(signer as never, base)).rejects.toMatchObject({
        name: 'WrongSignerError',
        field: 'signer',
      })
    const { signMessage } = await signerOf()
    const hex = (bytes: Uint8Array) => Buffer.from(signMessage(bytes)).toString('hex')
    const answersHex: SolanaSigner = {
      publicKey: customer.publicKey,
      signMessage: async (bytes) => ({ signature: hex(bytes) as never }),
    }
    await expect(signAuthMessage(answersHex, base)).rejects.toMatchObject({ name: 'WrongSignatureError' })
  })

  test('signs as the connected account only', async () => {
    await expect(
      signAuthMessage(customer, { ...base, address: stranger.publicKey.toBase58() }),
    ).rejects.toMatchObject({
      name: 'WrongSignerError',
      field: 'address',
    })
    const { signMessage } = await signerOf(stranger)
    const switched: SolanaSigner = {
      publicKey: customer.publicKey,
      signMessage: async (bytes) => signMessage(bytes),
    }
    await expect(signAuthMessage(switched, base)).rejects.toMatchObject({ name: 'WrongSignatureError' })
  })

  test('refuses a wallet that signed another text', async () => {
    const { signMessage } = await signerOf()
    const prefixing: SolanaSigner = {
      account: { address },
      features: {
        'solana:signMessage': {
          signMessage: async (input) => {
            const signedMessage = Uint8Array.from([0xff, ...input.message])
            return [{ signedMessage, signature: signMessage(signedMessage) }]
          },
        },
      },
    }
    await expect(signAuthMessage(prefixing, base)).rejects.toMatchObject({ name: 'ChangedByWalletError' })
  })

  test('refuses a wallet that writes another text into the array that it was given', async () => {
    const { signMessage } = await signerOf()
    const overwrite = (bytes: Uint8Array) => {
      bytes.set(new TextEncoder().encode('evil'), 0)
      return signMessage(bytes)
    }
    const standard = (
      answer: (bytes: Uint8Array) => { signedMessage: Uint8Array; signature: Uint8Array },
    ) => ({
      account: { address },
      features: {
        'solana:signMessage': {
          signMessage: async (input: { message: Uint8Array }) => [answer(input.message)],
        },
      },
    })
    for (const [evil, name] of [
      [standard((bytes) => ({ signature: overwrite(bytes), signedMessage: bytes })), 'ChangedByWalletError'],
      [standard((bytes) => ({ signature: overwrite(bytes) }) as never), 'WrongSignatureError'],
      [
        { publicKey: address, signMessage: async (bytes: Uint8Array) => overwrite(bytes) },
        'WrongSignatureError',
      ],
    ] as const)
      await expect(signAuthMessage(evil as SolanaSigner, base)).rejects.toMatchObject({ name })
    const foreign = runInNewContext('(bytes) => Uint8Array.from(bytes)')
    const other: SolanaSigner = {
      publicKey: address,
      signMessage: async (bytes) => foreign(signMessage(bytes)),
    }
    expect(await signAuthMessage(other, base)).toEqual(await signAuthMessage(customer, base))
  })

  test('asks for nothing when it does not know what to ask for', async () => {
    asked.mockClear()
    for (const use of ['Transaction', 'text', '', null, 5, {}, Symbol('x')])
      await expect(
        signAuthMessage(wallet, { ...base, transaction: harmless, use: use as never }),
      ).rejects.toMatchObject({ name: 'InvalidOptionError', field: 'use' })
    for (const options of [undefined, null, 'x']) {
      const error = { name: 'InvalidOptionError', field: 'options' }
      await expect(signAuthMessage(wallet, options as never)).rejects.toMatchObject(error)
      await expect(verifyAuthMessage(options as never)).rejects.toMatchObject(error)
      expect(() => solanaAdapter(options as never)).toThrow(expect.objectContaining(error))
    }
    expect(asked).not.toHaveBeenCalled()
  })

  test("never follows a user's no with another prompt", async () => {
    const signTransaction = vi.fn()
    const refusing: SolanaSigner = {
      publicKey: customer.publicKey,
      signMessage: () => Promise.reject(new Error('User rejected the request.')),
      signTransaction,
    }
    await expect(signAuthMessage(refusing, { ...base, transaction: harmless })).rejects.toMatchObject({
      name: 'UserRejectedError',
    })
    expect(signTransaction).not.toHaveBeenCalled()
  })
})

describe('the sign-in transaction', () => {
  const sign = (transaction: string, change: object = {}) =>
    signAuthMessage(wallet, { ...base, transaction, use: 'transaction', ...change })

  test('is signed by wallets that cannot sign text, and by others when asked', async () => {
    const hardware: SolanaSigner = {
      publicKey: customer.publicKey,
      signTransaction: async <transaction extends Transaction | VersionedTransaction>(given: transaction) => {
        if (given instanceof VersionedTransaction) given.sign([customer])
        return given
      },
    }
    const { signedMessage } = await signAuthMessage(hardware, { ...base, transaction: harmless })
    expect(await sign(harmless)).toMatchObject({ signedMessage })
    const check = { address, message, signedMessage }
    expect(await verifyAuthMessage({ ...check, transaction: harmless })).toBe(true)
    expect(await verifyAuthMessage(check)).toBe(true)
    expect(await verifyAuthMessage({ ...check, message: `${message}.` })).toBe(false)
    expect(await verifyAuthMessage({ ...check, address: stranger.publicKey })).toBe(false)
    expect(
      await verifyAuthMessage({
        ...check,
        transaction: wire(memoTransaction({ programId: programs.memoV1 })),
      }),
    ).toBe(false)
    expect(Transaction.from(parseBase58(signedMessage, { field: 'transaction' })).verifySignatures()).toBe(
      true,
    )
  })

  test('may use either memo program, name its signer, and be version 0', async () => {
    const keys = [{ pubkey: customer.publicKey, isSigner: true, isWritable: false }]
    await expect(sign(wire(memoTransaction({ programId: programs.memoV1 })))).resolves.toBeDefined()
    await expect(sign(wire(memoTransaction({ keys })))).resolves.toBeDefined()
    const v0 = new VersionedTransaction(memoTransaction().compileMessage() as never)
    await expect(sign(wire(v0))).resolves.toBeDefined()
  })

  const real = formatBase58(new Uint8Array(32).fill(9))
  const other = stranger.publicKey
  test.each([
    ['blockhash', memoTransaction({ blockhash: real })],
    ['memo', memoTransaction({ text: 'I owe you 100 USDC' })],
    ['memo', memoTransaction({ text: `${message} ` })],
    ['signers', memoTransaction({ payer: other })],
    ['signers', memoTransaction({ keys: [{ pubkey: other, isSigner: true, isWritable: false }] })],
    ['accounts', memoTransaction({ keys: [{ pubkey: other, isSigner: false, isWritable: true }] })],
    ['accounts', memoTransaction({ keys: [{ pubkey: other, isSigner: false, isWritable: false }] })],
    [
      'accounts',
      memoTransaction({
        extra: [SystemProgram.transfer({ fromPubkey: customer.publicKey, toPubkey: other, lamports: 1 })],
      }),
    ],
    [
      'accounts',
      memoTransaction({
        extra: [SystemProgram.nonceAdvance({ noncePubkey: other, authorizedPubkey: customer.publicKey })],
      }),
    ],
    ['instructions', memoTransaction({ extra: memoTransaction().instructions })],
    ['instructions', memoTransaction({ programId: programs.token })],
    [
      'instructions',
      memoTransaction({
        keys: [{ pubkey: new PublicKey(programs.memo), isSigner: false, isWritable: false }],
      }),
    ],
  ])('is refused before any prompt when its %s could do something', async (field, transaction) => {
    asked.mockClear()
    await expect(sign(wire(transaction))).rejects.toMatchObject({
      name: 'InvalidAuthMessageError',
      field: `transaction.${field}`,
    })
    expect(asked).not.toHaveBeenCalled()
  })

  test('is refused at any change of one byte outside its empty signature', async () => {
    asked.mockClear()
    const bytes = parseBase58(harmless, { field: 'transaction' })
    for (let at = 0; at < bytes.length; at++) {
      if (at >= 1 && at < 65) continue
      for (const by of [1, 0x80]) {
        const changed = Uint8Array.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ by
        await expect(sign(formatBase58(changed)), `byte ${at} ^ ${by}`).rejects.toMatchObject({
          name: expect.stringMatching(/^(InvalidAuthMessageError|InvalidTransactionError)$/),
        })
      }
    }
    expect(asked).not.toHaveBeenCalled()
  })

  test('is refused when cut off, and when there is none', async () => {
    await expect(sign(harmless.slice(0, -9))).rejects.toMatchObject({ name: 'InvalidTransactionError' })
    await expect(sign(`${harmless.slice(0, -1)}0`)).rejects.toMatchObject({
      name: 'InvalidBase58Error',
      field: 'transaction',
    })
    await expect(signAuthMessage(wallet, { ...base, use: 'transaction' })).rejects.toMatchObject({
      name: 'WrongSignerError',
      field: 'transaction',
    })
    await expect(signAuthMessage({ publicKey: customer.publicKey }, base)).rejects.toMatchObject({
      name: 'WrongSignerError',
    })
  })
})

describe('verifyAuthMessage', () => {
  test('is false for any bit of the signature and any byte of the message changed, and for another key', async () => {
    const { signedMessage } = await signAuthMessage(customer, base)
    const signature = parseBase58(signedMessage, { field: 'signedMessage' })
    for (let at = 0; at < 64; at++) {
      const changed = Uint8Array.from(signature)
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
      expect(await verifyAuthMessage({ address, message, signedMessage: formatBase58(changed) })).toBe(false)
    }
    for (let at = 0; at < message.length; at += 7) {
      const changed = `${message.slice(0, at)}~${message.slice(at + 1)}`
      expect(await verifyAuthMessage({ address, message: changed, signedMessage })).toBe(false)
    }
    expect(await verifyAuthMessage({ address: stranger.publicKey, message, signedMessage })).toBe(false)
  })

  test('is false for keys and signatures of small order, which sign everything', async () => {
    const zero = formatBase58(new Uint8Array(32))
    const identity = formatBase58(Uint8Array.from([1, ...new Uint8Array(31)]))
    for (const key of [zero, identity])
      for (const r of [new Uint8Array(32), Uint8Array.from([1, ...new Uint8Array(31)])])
        expect(
          await verifyAuthMessage({
            address: key,
            message,
            signedMessage: formatBase58(Uint8Array.from([...r, ...new Uint8Array(32)])),
          }),
        ).toBe(false)
  })

  test('is false for a signature with a part of small order, which no node takes', async () => {
    const { ed25519 } = await import('@noble/curves/ed25519.js')
    const { sha512 } = await import('@noble/hashes/sha2.js')
    const { ExtendedPoint: Point, CURVE, utils } = ed25519
    const number = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
    const text = new TextEncoder().encode(message)
    // Of order 8. By RFC 8032's looser equation, the signature would be right with it and without it.
    const small = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')
    const signWith = (add: typeof small) => {
      const R = Point.BASE.multiply(12_345n).add(add).toRawBytes()
      const k = number(sha512(Uint8Array.from([...R, ...customer.publicKey.toBytes(), ...text]))) % CURVE.n
      const { scalar } = utils.getExtendedPublicKey(customer.secretKey.slice(0, 32))
      const S = (12_345n + k * scalar) % CURVE.n
      const bytes = Array.from({ length: 32 }, (_, i) => Number((S >> BigInt(8 * i)) & 255n))
      return Uint8Array.from([...R, ...bytes])
    }
    const key = await crypto.subtle.importKey(
      'raw',
      Uint8Array.from(customer.publicKey.toBytes()),
      'Ed25519',
      false,
      ['verify'],
    )
    for (const [signature, isRight] of [
      [signWith(Point.ZERO), true],
      [signWith(small), false],
    ] as const) {
      // OpenSSL's equation is the stricter one, as a node's is.
      expect(await crypto.subtle.verify('Ed25519', key, signature, text)).toBe(isRight)
      const signedMessage = formatBase58(signature)
      expect(await verifyAuthMessage({ address, message, signedMessage })).toBe(isRight)
    }
  })

  test('takes no text that is none, and none that is empty', async () => {
    const { signMessage } = await signerOf()
    const signedMessage = formatBase58(signMessage(new Uint8Array()))
    for (const nothing of [undefined, null, '', 5])
      await expect(
        verifyAuthMessage({ address, message: nothing as never, signedMessage }),
      ).rejects.toMatchObject({ name: 'InvalidOptionError', field: 'message' })
  })

  test('names what is wrong with the rest', async () => {
    const { signedMessage } = await signAuthMessage(customer, base)
    const verify = (change: object) => verifyAuthMessage({ address, message, signedMessage, ...change })
    await expect(verify({ signedMessage: signedMessage.slice(0, -4) })).rejects.toMatchObject({
      name: 'InvalidSignatureError',
      field: 'signedMessage',
    })
    await expect(verify({ signedMessage: '' })).rejects.toMatchObject({
      name: 'InvalidBase58Error',
      field: 'signedMessage',
    })
    await expect(verify({ signedMessage: '0x1234' })).rejects.toMatchObject({ name: 'InvalidBase58Error' })
    await expect(verify({ signedMessage: formatBase58(new Uint8Array(65).fill(3)) })).rejects.toMatchObject({
      name: 'InvalidSignatureError',
    })
    await expect(verify({ signedMessage: formatBase58(new Uint8Array(300).fill(3)) })).rejects.toMatchObject({
      name: 'InvalidTransactionError',
    })
    await expect(verify({ address: 'x' })).rejects.toMatchObject({
      name: 'InvalidAddressError',
      field: 'address',
    })
  })
})

describe('solanaAdapter', () => {
  test("is core's adapter", async () => {
    const adapter: ChainAdapter = solanaAdapter({ signer: wallet, environment: 'sandbox' })
    expect(adapter).toMatchObject({ family: 'solana', blockchain: 'solana' })
    expect(await adapter.getAddress()).toBe(address)
    const challenge = { message, transaction: harmless }
    const signed = await adapter.signAuthMessage(challenge, { domains: ['pay.example'], now })
    expect(await adapter.verifyAuthMessage(challenge, signed)).toBe(true)
    expect(await adapter.verifyAuthMessage({ message: 'another' }, signed)).toBe(false)
    const hardware = solanaAdapter({ signer: wallet, environment: 'sandbox', use: 'transaction' })
    const long = await hardware.signAuthMessage(challenge, { domains: ['pay.example'], now })
    expect(long.signedMessage.length).toBeGreaterThan(500)
    expect(await hardware.verifyAuthMessage(challenge, long)).toBe(true)
    expect(() => solanaAdapter({ signer: wallet, environment: 'devnet' as never })).toThrow(
      expect.objectContaining({ name: 'UnknownNetworkError' }),
    )
  })
})
