import {
  ComputeBudgetProgram,
  PublicKey,
  SYSVAR_RENT_PUBKEY,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { inspectRequest } from '../inspect/inspectRequest.ts'
import { programs } from '../instruction/programs.ts'
import { sponsor, stranger } from '../solana.fixture.ts'
import { parseTransaction } from '../transaction/parseTransaction.ts'
import {
  base,
  build,
  bytes,
  codesOf,
  from,
  inspectAsTransfer,
  pay,
  transfer,
  wallet,
} from './usdcTransfer.fixture.ts'
import { usdcTransfer } from './usdcTransfer.ts'

const limit = (number: number, value: number) =>
  new TransactionInstruction({
    programId: ComputeBudgetProgram.programId,
    keys: [],
    data: Buffer.from([number, ...new Uint8Array(Uint32Array.of(value).buffer)]),
  })
const look = (...extra: TransactionInstruction[]) =>
  inspectRequest({ transaction: build({ extra }), wallet, expected: base })

describe('instructions that other libraries add to a payment', () => {
  test.each([
    ['a limit of the loaded data', limit(4, 65_536)],
    ['a heap of 32 kB', limit(1, 32_768)],
    ['a heap of 256 kB', limit(1, 262_144)],
  ])('%s is taken', (_what, instruction) => {
    expect(look(instruction).verdict).toBe('ok')
    expect(codesOf(look(instruction, instruction))).toEqual(['UNEXPECTED_INSTRUCTION'])
  })

  test.each([
    ['a limit of nothing', limit(4, 0)],
    ['a smaller heap than there is', limit(1, 31_744)],
    ['a heap of odd size', limit(1, 32_769)],
    ['a larger heap than there can be', limit(1, 263_168)],
  ])('%s is refused, with which nothing would run', (_what, instruction) => {
    expect(codesOf(look(instruction))).toEqual(['WRONG_COMPUTE_BUDGET'])
  })

  const created = (key: PublicKey) => {
    const message = TransactionMessage.decompile(VersionedTransaction.deserialize(bytes).message)
    message.instructions[2]?.keys.push({ pubkey: key, isSigner: false, isWritable: false })
    return inspectAsTransfer(new VersionedTransaction(message.compileToV0Message()).serialize())
  }
  test('the rent sysvar in the creation of the account is accepted, and nothing else', () => {
    expect(created(SYSVAR_RENT_PUBKEY).verdict).toBe('ok')
    expect(codesOf(created(stranger.publicKey))).toEqual(['UNEXPECTED_ACCOUNT'])
  })

  test.each(['memoV1', 'memo', 'memoV4'] as const)('a payment id by the program %s is taken', (name) => {
    const message = TransactionMessage.decompile(VersionedTransaction.deserialize(bytes).message)
    for (const instruction of message.instructions)
      if (instruction.programId.toBase58() === programs.memo)
        instruction.programId = new PublicKey(programs[name])
    const transaction = new VersionedTransaction(message.compileToV0Message()).serialize()
    expect(inspectAsTransfer(transaction).verdict).toBe('ok')
  })
})

describe('the memo program of a transfer', () => {
  const options = { ...base, blockhash: transfer.blockhash, lastValidBlockHeight: 100 }
  const of = (memoVersion: 3 | 4 | undefined, length: number) =>
    usdcTransfer({ ...options, memoVersion, paymentId: 'a'.repeat(length) })

  test.each([
    [undefined, programs.memo],
    [3, programs.memo],
    [4, programs.memoV4],
  ] as const)('of version %s is %s', (version, program) => {
    const built = of(version, 5)
    expect(parseTransaction(Buffer.from(built.transaction, 'base64')).keys).toContain(program)
    expect(inspectRequest({ transaction: built.transaction, wallet, expected: built }).verdict).toBe('ok')
  })

  // A test on the local chain shows that the limits suffice: test/service/solanaNetwork.test.ts.
  test.each([
    [3, 'a'.repeat(64), 120_000],
    [3, 'a'.repeat(65), 120_360],
    [3, 'a'.repeat(500), 276_960],
    [3, '\u007f'.repeat(65), 213_960],
    [3, 'é'.repeat(65), 213_960],
    [3, '語'.repeat(10), 229_960],
    [3, '\ue000'.repeat(10), 296_960],
    [3, '😀'.repeat(10), 296_960],
    [4, 'a'.repeat(500), 120_000],
    [4, '😀'.repeat(125), 120_000],
  ] as const)('version %i with %s has %i units', (memoVersion, paymentId, units) => {
    expect(usdcTransfer({ ...options, memoVersion, paymentId }).computeUnitLimit).toBe(units)
  })

  test('rejects a text that would need too many units, unless the caller passes the number', () => {
    const paymentId = '語'.repeat(100)
    expect(() => usdcTransfer({ ...options, paymentId })).toThrow(
      expect.objectContaining({ name: 'InvalidOptionError', field: 'paymentId' }),
    )
    const computeUnitLimit = 1_400_000
    expect(usdcTransfer({ ...options, paymentId, computeUnitLimit })).toMatchObject({ computeUnitLimit })
  })

  test('has no other version', () => {
    expect(() => of(2 as never, 5)).toThrow(expect.objectContaining({ field: 'memoVersion' }))
  })
})

describe('without an expectation', () => {
  const memo = (text: string) =>
    new TransactionInstruction({
      programId: new PublicKey(programs.memoV4),
      keys: [],
      data: Buffer.from(text),
    })
  const codes = (instruction: TransactionInstruction) =>
    inspectRequest({
      transaction: new VersionedTransaction(
        new TransactionMessage({
          payerKey: sponsor.publicKey,
          recentBlockhash: transfer.blockhash,
          instructions: [instruction],
        }).compileToV0Message(),
      ),
      wallet: from,
    }).findings.filter(({ code }) => code !== 'NOT_COMPARED')

  test.each([
    'Sign in to shop.example',
    'log-in 7f3a',
    'Authenticate: nonce 12345678',
    'Verify that you own this wallet',
  ])('a memo that reads like a sign-in is a warning: %s', (text) => {
    expect(codes(memo(text))).toMatchObject([{ severity: 'warning', code: 'SIGN_IN' }])
  })

  test('a memo that passes itself off as one is a danger', () => {
    expect(codes(memo('shop.example wants you to sign in with your Solana account'))).toMatchObject([
      { severity: 'danger', code: 'SIGN_IN' },
    ])
  })

  test.each(['pay_1', 'Invoice 12 for signage', 'blog entry'])(
    'a memo of something else is not: %s',
    (text) => {
      expect(codes(memo(text))).toEqual([])
    },
  )

  test('a transfer with the accounts of a hook is a warning of its own', () => {
    const hooked = pay({ program: new PublicKey(programs.token2022) })
    expect(codes(hooked)).toMatchObject([{ severity: 'warning', code: 'EXTRA_TRANSFER' }])
    hooked.keys.push({ pubkey: stranger.publicKey, isSigner: false, isWritable: true })
    expect(codes(hooked)).toMatchObject([
      { severity: 'warning', code: 'EXTRA_TRANSFER' },
      { severity: 'warning', code: 'UNEXPECTED_ACCOUNT' },
    ])
  })
})
