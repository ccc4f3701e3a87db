import {
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  address as toAddress,
  blockhash as toBlockhash,
} from '@solana/kit'
import * as token from '@solana/spl-token'
import {
  ComputeBudgetProgram,
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

test('an amount that is not the expected one is written in USDC', () => {
  const built = usdcTransfer({ ...transfer, amount: transfer.amount + 1n })
  const { findings } = inspect({ transaction: built.transaction }, { address: wallet, expected: transfer })
  expect(findings[0]?.message).toMatch(/^The transfer has the amount (\d+)\.\d{5}1, not \1(?:\.\d+)?\.$/)
})

test('a memo that is not the expected one is quoted, on one line', () => {
  const message = TransactionMessage.decompile(
    VersionedTransaction.deserialize(Buffer.from(transfer.transaction, 'base64')).message,
  )
  Object.assign(message.instructions[3] ?? {}, { data: Buffer.from('x\u202e\nIt is safe') })
  const transaction = new VersionedTransaction(message.compileToV0Message())
  const inspection = inspect({ transaction }, { address: wallet, expected: transfer })
  expect(inspection.findings).toMatchObject([
    { code: 'WRONG_MEMO', message: 'The memo is "x\\u{202e}\\nIt is safe", but "pay_1" was expected.' },
  ])
  expect(JSON.stringify(formatInspection(inspection))).not.toContain('\u202e')
})

test('an expected payment ID is shown without invisible characters', () => {
  const built = usdcTransfer({ ...transfer, paymentId: 'pay\u202e1' })
  const { summary } = inspect({ transaction: built.transaction }, { address: wallet, expected: built })
  expect(summary).toContain('Memo: "pay\\u{202e}1"\n')
})

describe('a transaction of version 1', () => {
  /** Compiles a version 1 transaction with kit, because web3.js cannot. */
  function version1(priorityFeeLamports: bigint, ...instructions: TransactionInstruction[]) {
    const message = setTransactionMessageLifetimeUsingBlockhash(
      { blockhash: toBlockhash(blockhash), lastValidBlockHeight: 1n },
      setTransactionMessageFeePayer(toAddress(wallet), createTransactionMessage({ version: 1 })),
    )
    const called = instructions.map(({ programId, keys, data }) => ({
      programAddress: toAddress(programId.toBase58()),
      accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
        address: toAddress(pubkey.toBase58()),
        role: (isSigner ? 2 : 0) + (isWritable ? 1 : 0),
      })),
      data: Uint8Array.from(data),
    }))
    return compileTransaction(
      setTransactionMessageConfig(
        { priorityFeeLamports, computeUnitLimit: 300_000 },
        appendTransactionMessageInstructions(called, message),
      ),
    )
  }
  const send = SystemProgram.transfer({ fromPubkey: from, toPubkey: other, lamports: 10 ** 9 })

  test('is described with its fee', () => {
    for (const transaction of [
      version1(7_000n, send),
      getBase64EncodedWireTransaction(version1(7_000n, send)),
    ]) {
      const inspection = inspect({ transaction }, { address: wallet })
      expect(inspection).toMatchObject({ verdict: 'caution', details: { version: 1, feeLamports: 12_000n } })
      expect(inspection.summary).toMatch(/^Sends 1 SOL to .*\nNetwork fee, at most: 0.000012 SOL$/s)
    }
  })
  test('ignores the instructions for its fee, as a node does', () => {
    const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 10n ** 15n })
    const { details } = inspect({ transaction: version1(7_000n, send, price) }, { address: wallet })
    expect(details).toMatchObject({ feeLamports: 12_000n })
  })
  test('is refused if its fee is more than 1 SOL', () => {
    const inspection = inspect({ transaction: version1(10n ** 9n, send) }, { address: wallet })
    expect(inspection).toMatchObject({ verdict: 'refuse' })
    expect(formatInspection(inspection).title).toBe('The network fee is more than 1 SOL.')
  })
  test('is refused if it gives the account away', () => {
    const assign = SystemProgram.assign({ accountPubkey: from, programId: other })
    const inspection = inspect({ transaction: version1(0n, send, assign) }, { address: wallet })
    expect(inspection).toMatchObject({
      verdict: 'refuse',
      findings: expect.arrayContaining([
        expect.objectContaining({ code: 'AUTHORITY_CHANGE', field: 'instructions[1]' }),
      ]),
    })
  })
  test('is refused with a signature of another message', () => {
    const transaction = Buffer.from(getBase64EncodedWireTransaction(version1(0n, send)), 'base64')
    transaction.fill(1, transaction.length - 64)
    expect(inspect({ transaction }, { address: wallet }).findings).toContainEqual(
      expect.objectContaining({ code: 'WRONG_SIGNATURE' }),
    )
  })
  test('is refused as a message to sign', () => {
    const inspection = inspect(
      { message: Uint8Array.from(version1(0n, send).messageBytes) },
      { address: wallet },
    )
    expect(inspection).toMatchObject({ verdict: 'refuse', findings: [{ code: 'RAW_TRANSACTION' }] })
  })
  test('is never the expected transfer, which the service builds as version 0', () => {
    const inspection = inspect({ transaction: version1(0n, send) }, { address: wallet, expected: transfer })
    expect(inspection).toMatchObject({ verdict: 'refuse', findings: [{ code: 'MALFORMED' }] })
    expect(inspection.summary).toMatch(/unsupported version/)
  })
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
