import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { Transaction } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { formatBase58, parseBase58 } from '../encoding.ts'
import { customer, stranger } from '../solana.fixture.ts'
import { programs } from '../transaction/programs.ts'
import {
  address,
  harmless,
  memoTransaction,
  message,
  signBytes,
  signedTransaction,
  wire,
} from './authMessage.fixture.ts'
import { verifyAuthMessage } from './verifyAuthMessage.ts'

describe('verifyAuthMessage', () => {
  const signedMessage = formatBase58(signBytes(new TextEncoder().encode(message)))
  const verify = (change: object = {}) => verifyAuthMessage({ address, message, signedMessage, ...change })

  test('returns true for a signed text', async () => {
    expect(await verify()).toBe(true)
  })

  test('returns false if any bit of the signature is changed', async () => {
    const signature = parseBase58(signedMessage, { field: 'signedMessage' })
    for (let at = 0; at < 64; at++) {
      const changed = Uint8Array.from(signature)
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
      expect(await verify({ signedMessage: formatBase58(changed) })).toBe(false)
    }
  })

  test('returns false if any byte of the message is changed', async () => {
    for (let at = 0; at < message.length; at += 7)
      expect(await verify({ message: `${message.slice(0, at)}~${message.slice(at + 1)}` })).toBe(false)
  })

  test('returns false for another key', async () => {
    expect(await verify({ address: stranger.publicKey })).toBe(false)
  })

  test('returns false for small-order keys and signatures, which would be valid for every text', async () => {
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

  test('returns false for a signature with a small-order component, which no node accepts', async () => {
    const { Point, utils } = ed25519
    const number = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
    const text = new TextEncoder().encode(message)
    // A point of order 8. By RFC 8032's cofactored equation, the signature is valid with and without it.
    const small = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')
    const signWith = (add: typeof small) => {
      const R = Point.BASE.multiply(12_345n).add(add).toBytes()
      const k =
        number(sha512(Uint8Array.from([...R, ...customer.publicKey.toBytes(), ...text]))) % Point.Fn.ORDER
      const { scalar } = utils.getExtendedPublicKey(customer.secretKey.slice(0, 32))
      const S = (12_345n + k * scalar) % Point.Fn.ORDER
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
      // OpenSSL uses the stricter, cofactorless equation, as nodes do.
      expect(await crypto.subtle.verify('Ed25519', key, signature, text)).toBe(isRight)
      const signedMessage = formatBase58(signature)
      expect(await verifyAuthMessage({ address, message, signedMessage })).toBe(isRight)
    }
  })

  test.each([undefined, null, '', 5])('refuses a missing or empty text: %j', async (nothing) => {
    const ofNothing = formatBase58(signBytes(new Uint8Array()))
    await expect(verify({ message: nothing, signedMessage: ofNothing })).rejects.toMatchObject({
      name: 'InvalidOptionError',
      field: 'message',
    })
  })

  test.each([undefined, null, 'x'])('rejects %s as options', async (options) => {
    await expect(verifyAuthMessage(options as never)).rejects.toMatchObject({
      name: 'InvalidOptionError',
      field: 'options',
    })
  })

  test.each([
    ['a signature that is cut off', { signedMessage: signedMessage.slice(0, -4) }, 'InvalidSignatureError'],
    ['no signature', { signedMessage: '' }, 'InvalidBase58Error'],
    ['a signature in hex', { signedMessage: '0x1234' }, 'InvalidBase58Error'],
    [
      'a signature with a byte more',
      { signedMessage: formatBase58(new Uint8Array(65).fill(3)) },
      'InvalidSignatureError',
    ],
  ])('throws for %s', async (_label, change, name) => {
    await expect(verify(change)).rejects.toMatchObject({ name, field: 'signedMessage' })
  })

  test('throws for a text that is too long for a signature and is not a transaction', async () => {
    await expect(verify({ signedMessage: formatBase58(new Uint8Array(300).fill(3)) })).rejects.toMatchObject({
      name: 'InvalidTransactionError',
    })
  })

  test('throws for an invalid address', async () => {
    await expect(verify({ address: 'x' })).rejects.toMatchObject({
      name: 'InvalidAddressError',
      field: 'address',
    })
  })
})

describe('verifyAuthMessage of a signed transaction', () => {
  const verify = (change: object = {}) =>
    verifyAuthMessage({ address, message, signedMessage: signedTransaction, ...change })

  test('returns true if the issued transaction is passed too', async () => {
    expect(await verify({ transaction: harmless })).toBe(true)
  })

  test('returns true if only the message is passed', async () => {
    expect(await verify()).toBe(true)
  })

  test.each([
    ['another message', { message: `${message}.` }],
    ['another address', { address: stranger.publicKey }],
    ['another transaction', { transaction: wire(memoTransaction({ programId: programs.memoV1 })) }],
  ])('is false for %s', async (_label, change) => {
    expect(await verify(change)).toBe(false)
  })

  test('agrees with web3.js', () => {
    const bytes = parseBase58(signedTransaction, { field: 'transaction' })
    expect(Transaction.from(bytes).verifySignatures()).toBe(true)
  })
})
