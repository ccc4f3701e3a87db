import { PublicKey, SystemProgram, VersionedTransaction } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { formatBase58, parseBase58 } from '../encoding.ts'
import { programs } from '../instruction/programs.ts'
import { blockhash, customer, stranger } from '../solana.fixture.ts'
import {
  asked,
  base,
  harmless,
  memoTransaction,
  message,
  signedTransaction,
  wallet,
  wire,
} from './authMessage.fixture.ts'
import { signAuthMessage } from './signAuthMessage.ts'

describe('the sign-in transaction', () => {
  const sign = (transaction: string, change: object = {}) =>
    signAuthMessage(wallet, { ...base, transaction, use: 'transaction', ...change })

  test('is signed by other wallets when asked', async () => {
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

  test('is refused when cut off', async () => {
    await expect(sign(harmless.slice(0, -9))).rejects.toMatchObject({ name: 'InvalidTransactionError' })
  })

  test('is refused when it is no base58', async () => {
    await expect(sign(`${harmless.slice(0, -1)}0`)).rejects.toMatchObject({
      name: 'InvalidBase58Error',
      field: 'transaction',
    })
  })

  test('is missed when it was to be signed', async () => {
    await expect(signAuthMessage(wallet, { ...base, use: 'transaction' })).rejects.toMatchObject({
      name: 'WrongSignerError',
      field: 'transaction',
    })
  })
})
