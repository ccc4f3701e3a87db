import * as token from '@solana/spl-token'
import {
  type PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { formatInspection } from '../../core/inspection/formatInspection.ts'
import { address, now, write } from '../authMessage/authMessage.fixture.ts'
import { blockhash, mint, sponsor, stranger, usdcAccountOf } from '../solana.fixture.ts'
import { from, transfer, wallet } from '../usdcTransfer/usdcTransfer.fixture.ts'
import { usdcTransfer } from '../usdcTransfer/usdcTransfer.ts'
import { inspect } from './inspect.ts'

const other = stranger.publicKey
const short = (key: PublicKey) => `${key.toBase58().slice(0, 4)}…${key.toBase58().slice(-4)}`
const transactionOf = (...instructions: TransactionInstruction[]) =>
  new VersionedTransaction(
    new TransactionMessage({
      payerKey: sponsor.publicKey,
      recentBlockhash: blockhash,
      instructions,
    }).compileToV0Message(),
  )
const shown = (...instructions: TransactionInstruction[]) =>
  inspect({ transaction: transactionOf(...instructions) }, { address: wallet })
const account = usdcAccountOf(from)

describe('a transaction without an expectation is described', () => {
  test.each<[string, TransactionInstruction, string, string]>([
    [
      'all SOL',
      SystemProgram.transfer({ fromPubkey: from, toPubkey: other, lamports: 1_000_000_000_000_000n }),
      'caution',
      `Sends 1,000,000 SOL to ${short(other)}.`,
    ],
    [
      'another token',
      token.createTransferInstruction(account, usdcAccountOf(other), from, 5n),
      'caution',
      `Sends 5 raw units of the token in ${short(account)} to ${short(usdcAccountOf(other))}.`,
    ],
    [
      'a token account',
      token.createAssociatedTokenAccountInstruction(from, usdcAccountOf(other), other, mint),
      'caution',
      `Creates a token account for ${short(other)}, paid by ${short(from)}.`,
    ],
    [
      'a durable nonce',
      SystemProgram.nonceAdvance({ noncePubkey: other, authorizedPubkey: from }),
      'caution',
      `Does not expire: it stays valid until the nonce of ${short(other)} is used.`,
    ],
  ])('%s', (_, instruction, verdict, title) => {
    const inspection = shown(instruction)
    expect(inspection.verdict).toBe(verdict)
    expect(formatInspection(inspection).title).toBe(title)
  })
  test('a danger comes first, and all findings are listed', () => {
    const { title, lines } = formatInspection(
      shown(
        SystemProgram.transfer({ fromPubkey: from, toPubkey: other, lamports: 1 }),
        token.createSetAuthorityInstruction(account, from, 2, other),
      ),
    )
    expect(title).toMatch(/^Gives control of your account/)
    expect(lines.filter(({ label }) => label === 'Call')).toHaveLength(2)
  })
  test('transfers and grants are returned as values', () => {
    const send = SystemProgram.transfer({ fromPubkey: from, toPubkey: other, lamports: 7 })
    const approve = token.createApproveInstruction(account, other, from, 5n)
    const { moves, grants } = shown(send, approve)
    expect(moves).toEqual([
      { direction: 'out', asset: 'native', amount: 7n, decimals: 9, from: wallet, to: other.toBase58() },
    ])
    expect(grants).toMatchObject([{ amount: 5n, to: other.toBase58() }])
    const burn = token.createBurnInstruction(account, mint, other, 5n, [from])
    expect(shown(burn).moves).toMatchObject([{ direction: 'out', amount: 5n }])
  })
})

test('a transaction that is the expected transfer is ok', () => {
  expect(
    inspect({ transaction: transfer.transaction }, { address: wallet, expected: transfer }).verdict,
  ).toBe('ok')
})

test('a transaction that is not the expected transfer is described by its effects', () => {
  const send = SystemProgram.transfer({ fromPubkey: from, toPubkey: other, lamports: 10 ** 9 })
  const inspection = inspect({ transaction: transactionOf(send) }, { address: wallet, expected: transfer })
  expect(inspection.verdict).toBe('refuse')
  expect(formatInspection(inspection).title).toBe(
    `This is not the expected transaction. It does this: Sends 1 SOL to ${short(other)}.`,
  )
})

test('a memo that is not the expected one is quoted, on one line', () => {
  const message = TransactionMessage.decompile(
    VersionedTransaction.deserialize(Buffer.from(transfer.transaction, 'base64')).message,
  )
  Object.assign(message.instructions[3] ?? {}, { data: Buffer.from('x\u202e\nIt is safe') })
  const transaction = new VersionedTransaction(message.compileToV0Message())
  const inspection = inspect({ transaction }, { address: wallet, expected: transfer })
  expect(inspection.findings).toMatchObject([
    { code: 'WRONG_MEMO', message: 'instructions[3].memo is "x\\u{202e}\\nIt is safe", not "pay_1".' },
  ])
  expect(JSON.stringify(formatInspection(inspection))).not.toContain('\u202e')
})

test('an expected payment ID is shown without invisible characters', () => {
  const built = usdcTransfer({ ...transfer, paymentId: 'pay\u202e1' })
  const { summary } = inspect({ transaction: built.transaction }, { address: wallet, expected: built })
  expect(summary).toContain('Memo: "pay\\u{202e}1"\n')
})

describe('a message', () => {
  const context = { address, environment: 'sandbox', origin: 'https://pay.example', now } as const
  test('is described as a sign-in, whether passed as text or as bytes', () => {
    for (const message of [write(), new TextEncoder().encode(write())])
      expect(inspect({ message }, context)).toMatchObject({ kind: 'signIn', verdict: 'ok' })
    expect(inspect({ message: write() }, { ...context, origin: 'https://evil.example' }).verdict).toBe(
      'refuse',
    )
  })
  test('is refused if its bytes are a transaction', () => {
    const transaction = transactionOf(
      SystemProgram.transfer({ fromPubkey: from, toPubkey: other, lamports: 1 }),
    )
    const inspection = inspect({ message: transaction.message.serialize() }, context)
    expect(inspection.verdict).toBe('refuse')
    expect(formatInspection(inspection).title).toMatch(/^Asks you to sign raw bytes/)
  })
})

test('never throws, and returns ok only for valid requests', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (request, context) => {
      for (const given of [context, { address: wallet }])
        expect(inspect(request as never, given as never).verdict).toBe('refuse')
    }),
    { numRuns: inject('generatedInputs') },
  )
  for (const [request, context, code] of [
    [{ transaction: transfer.transaction }, {}, 'MALFORMED'],
    [{ transaction: 'AAAA' }, { address: wallet }, 'MALFORMED'],
    [{ transaction: transfer.transaction, message: 'x' }, { address: wallet }, 'MALFORMED'],
    [{ transaction: transfer.transaction }, { adress: wallet }, 'INVALID_EXPECTATION'],
  ] as const)
    expect(inspect(request as never, context as never)).toMatchObject({
      verdict: 'refuse',
      findings: [{ code }],
    })
})
