import { PublicKey, SystemProgram, VersionedTransaction } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { InvalidAuthMessageError } from '../../core/authMessage.ts'
import { flippedBits } from '../../core/flippedBits.fixture.ts'
import { formatBase58, parseBase58 } from '../encoding.ts'
import { blockhash, customer, stranger } from '../solana.fixture.ts'
import { programs } from '../transaction/programs.ts'
import {
  address,
  asked,
  base,
  harmless,
  issuedAt,
  lines,
  memoTransaction,
  message,
  signedTransaction,
  wallet,
  wire,
  write,
} from './authMessage.fixture.ts'
import { parseAuthMessage } from './parseAuthMessage.ts'
import { signAuthMessage } from './signAuthMessage.ts'

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
  })

  test('accepts a text without a statement', () => {
    expect(parseAuthMessage(message.replace(`${lines.statement}\n\n`, '')).statement).toBeUndefined()
  })

  test('reads "Not Before" before a request ID and resources', () => {
    const more = `\nNot Before: ${lines['Issued At']}\nRequest ID: 7\nResources:\n- https://a.example`
    expect(parseAuthMessage(write({}, more)).notBefore).toBe(issuedAt)
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
    // Invalid on purpose: untyped callers can pass anything.
    expect(() => parseAuthMessage(text as never)).toThrow(InvalidAuthMessageError)
  })

  test('throws InvalidAuthMessageError for garbage and for any layout change to a valid text', () => {
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
      { numRuns: inject('generatedInputs') },
    )
  })
})

describe('the sign-in transaction', () => {
  const sign = (transaction: string, change: object = {}) =>
    signAuthMessage(wallet, { ...base, transaction, use: 'transaction', ...change })

  test('is signed if the caller requests it', async () => {
    expect(await sign(harmless)).toMatchObject({ signedMessage: signedTransaction })
  })

  const keys = [{ pubkey: customer.publicKey, isSigner: true, isWritable: false }]
  test.each([
    ['use the older memo program', memoTransaction({ programId: programs.memoV1 })],
    ['name its signer', memoTransaction({ keys })],
    ['be version 0', new VersionedTransaction(memoTransaction().compileMessage() as never)],
  ])('may %s', async (_label, transaction) => {
    await expect(sign(wire(transaction))).resolves.toBeDefined()
  })

  const other = stranger.publicKey
  test.each([
    ['blockhash', memoTransaction({ blockhash })],
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
  ])('is refused before any prompt if its %s could have an effect', async (field, transaction) => {
    asked.mockClear()
    await expect(sign(wire(transaction))).rejects.toMatchObject({
      name: 'InvalidAuthMessageError',
      field: `transaction.${field}`,
    })
    expect(asked).not.toHaveBeenCalled()
  })

  test('is refused after a change to any byte outside its empty signature', async () => {
    asked.mockClear()
    const bytes = parseBase58(harmless, { field: 'transaction' })
    for (let at = 0; at < bytes.length; at++) {
      if (at >= 1 && at < 65) continue
      for (const by of flippedBits(at)) {
        const changed = Uint8Array.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ by
        await expect(sign(formatBase58(changed)), `byte ${at} ^ ${by}`).rejects.toMatchObject({
          name: expect.stringMatching(/^(InvalidAuthMessageError|InvalidTransactionError)$/),
        })
      }
    }
    expect(asked).not.toHaveBeenCalled()
  })

  test('is refused when truncated', async () => {
    await expect(sign(harmless.slice(0, -9))).rejects.toMatchObject({ name: 'InvalidTransactionError' })
  })

  test('is rejected if it is not base58', async () => {
    await expect(sign(`${harmless.slice(0, -1)}0`)).rejects.toMatchObject({
      name: 'InvalidBase58Error',
      field: 'transaction',
    })
  })

  test('is required if the caller requests a transaction', async () => {
    await expect(signAuthMessage(wallet, { ...base, use: 'transaction' })).rejects.toMatchObject({
      name: 'WrongSignerError',
      field: 'transaction',
    })
  })
})
