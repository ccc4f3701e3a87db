import * as token from '@solana/spl-token'
import { ComputeBudgetProgram, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { inspectRequest } from '../inspect/inspectRequest.ts'
import { networkOf } from '../networks.ts'
import { mint, sponsor, stranger, usdcAccountOf } from '../solana.fixture.ts'
import { readTransaction } from '../transaction/parseTransaction.ts'
import { programs } from '../transaction/programs.ts'
import { assertUsdcTransfer, refuseOtherTransfers } from './assertUsdcTransfer.ts'
import { amount, type Build, base, build, codesOf, from, pay, to, wallet } from './usdcTransfer.fixture.ts'

const other = stranger.publicKey
const t22 = token.TOKEN_2022_PROGRAM_ID
const prodMint = new PublicKey(networkOf('prod').usdcMint)
const malicious: [label: string, Build, errorName: string][] = [
  [
    'a second transfer of SOL',
    { extra: [SystemProgram.transfer({ fromPubkey: from, toPubkey: other, lamports: 1 })] },
    'UnexpectedInstructionError',
  ],
  [
    'a second transfer of USDC',
    { extra: [pay({ to: usdcAccountOf(other), amount: 1n })] },
    'UnexpectedInstructionError',
  ],
  [
    'an extra unchecked transfer',
    { extra: [token.createTransferInstruction(usdcAccountOf(from), usdcAccountOf(other), from, 1n)] },
    'UnexpectedInstructionError',
  ],
  [
    'an unchecked transfer instead of the checked one',
    { main: token.createTransferInstruction(usdcAccountOf(from), usdcAccountOf(to), from, amount) },
    'UnexpectedInstructionError',
  ],
  [
    'a delegate approval',
    { extra: [token.createApproveInstruction(usdcAccountOf(from), other, from, 1n)] },
    'DelegateApprovalError',
  ],
  [
    'a checked delegate approval',
    { extra: [token.createApproveCheckedInstruction(usdcAccountOf(from), mint, other, from, 1n, 6)] },
    'DelegateApprovalError',
  ],
  [
    'a new owner',
    {
      extra: [
        token.createSetAuthorityInstruction(
          usdcAccountOf(from),
          from,
          token.AuthorityType.AccountOwner,
          other,
        ),
      ],
    },
    'AuthorityChangeError',
  ],
  [
    'a new close authority',
    {
      extra: [
        token.createSetAuthorityInstruction(
          usdcAccountOf(from),
          from,
          token.AuthorityType.CloseAccount,
          other,
        ),
      ],
    },
    'AuthorityChangeError',
  ],
  [
    'closing an account to a stranger',
    { extra: [token.createCloseAccountInstruction(usdcAccountOf(from), other, from)] },
    'AccountClosedError',
  ],
  [
    'closing an account to the customer',
    { extra: [token.createCloseAccountInstruction(usdcAccountOf(from), from, from)] },
    'AccountClosedError',
  ],
  [
    'the wallet assigned to a program',
    { extra: [SystemProgram.assign({ accountPubkey: from, programId: other })] },
    'AuthorityChangeError',
  ],
  [
    'a burn',
    { extra: [token.createBurnInstruction(usdcAccountOf(from), mint, from, 1n)] },
    'UnexpectedInstructionError',
  ],
  [
    'a durable nonce',
    { extra: [SystemProgram.nonceAdvance({ noncePubkey: other, authorizedPubkey: from })] },
    'UnexpectedInstructionError',
  ],
  ['the customer as fee payer', { payer: from }, 'WrongFeePayerError'],
  ['a stranger as fee payer', { payer: other }, 'WrongFeePayerError'],
  [
    'an unknown program',
    { extra: [new TransactionInstruction({ programId: other, keys: [], data: Buffer.alloc(0) })] },
    'UnexpectedInstructionError',
  ],
  [
    'an unknown instruction of a known program',
    {
      extra: [
        new TransactionInstruction({ programId: token.TOKEN_PROGRAM_ID, keys: [], data: Buffer.of(255) }),
      ],
    },
    'UnexpectedInstructionError',
  ],
  [
    'another signer',
    { extra: [SystemProgram.allocate({ accountPubkey: other, space: 1 })] },
    'UnexpectedInstructionError',
  ],
  [
    'an unexpected memo',
    {
      extra: [
        new TransactionInstruction({
          programId: new PublicKey(programs.memoV1),
          keys: [],
          data: Buffer.from('I owe you'),
        }),
      ],
    },
    'WrongMemoError',
  ],
  [
    'a high priority fee',
    { extra: [ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 10n ** 9n })] },
    'FeeTooHighError',
  ],
  [
    'an invalid heap size',
    { extra: [ComputeBudgetProgram.requestHeapFrame({ bytes: 1024 })] },
    'FeeTooHighError',
  ],
  [
    'the creation of another account',
    {
      extra: [
        token.createAssociatedTokenAccountIdempotentInstruction(
          sponsor.publicKey,
          usdcAccountOf(other),
          other,
          mint,
        ),
      ],
    },
    'UnexpectedInstructionError',
  ],
  ['another amount', { main: pay({ amount: amount + 1n }) }, 'WrongAmountError'],
  ['other decimals', { main: pay({ decimals: 9 }) }, 'WrongDecimalsError'],
  ['another mint', { main: pay({ mint: other }) }, 'WrongMintError'],
  ["another network's USDC", { main: pay({ mint: prodMint }) }, 'WrongNetworkError'],
  ['another destination', { main: pay({ to: usdcAccountOf(other) }) }, 'UnexpectedAccountError'],
  ['another source', { main: pay({ source: usdcAccountOf(other) }) }, 'UnexpectedAccountError'],
  ['another owner', { main: pay({ owner: other }) }, 'UnexpectedAccountError'],
  ['the Token-2022 program', { main: pay({ program: t22 }) }, 'UnexpectedInstructionError'],
  [
    'a Token-2022 transfer with a fee',
    {
      main: token.createTransferCheckedWithFeeInstruction(
        usdcAccountOf(from),
        mint,
        usdcAccountOf(to),
        from,
        amount,
        6,
        1n,
        [],
        t22,
      ),
    },
    'UnexpectedInstructionError',
  ],
  [
    'a transfer hook',
    { extra: [token.createInitializeTransferHookInstruction(mint, from, other, t22)] },
    'UnexpectedInstructionError',
  ],
]

describe.each(malicious)('%s', (_label, options, errorName) => {
  const transaction = build(options)
  const itsError = expect.objectContaining({
    name: errorName,
    field: expect.any(String),
    fix: expect.any(String),
  })

  test('is reported to the customer', () => {
    expect(inspectRequest({ transaction, wallet, expected: base }).verdict).toBe('refuse')
  })

  test('throws the error for this change', () => {
    expect(() => assertUsdcTransfer({ transaction, expected: base })).toThrow(itsError)
  })

  test('is not signed: signing throws the same error', () => {
    const parsed = readTransaction(transaction)
    expect(() => refuseOtherTransfers(parsed, { wallet, expected: base })).toThrow(itsError)
  })
})

describe('a stranger who signs the memo', () => {
  const memo = new TransactionInstruction({
    programId: new PublicKey(programs.memo),
    keys: [{ pubkey: other, isSigner: true, isWritable: false }],
    data: Buffer.from('pay_1'),
  })
  const asked = { transaction: build({ extra: [memo] }), expected: { ...base, paymentId: 'pay_1' } }

  test('is reported to the customer', () => {
    expect(codesOf(inspectRequest({ ...asked, wallet }))).toEqual(['EXTRA_SIGNER'])
  })

  test('throws the error for this change', () => {
    expect(() => assertUsdcTransfer(asked)).toThrow(
      expect.objectContaining({ name: 'UnexpectedSignerError' }),
    )
  })
})

test('an error contains every finding', () => {
  const transaction = build({
    payer: from,
    extra: [token.createApproveInstruction(usdcAccountOf(from), other, from, 1n)],
  })
  const findings = ['CUSTOMER_PAYS_FEE', 'DELEGATE_APPROVAL'].map((code) => expect.objectContaining({ code }))
  expect(() => assertUsdcTransfer({ transaction, expected: base })).toThrow(
    expect.objectContaining({ name: 'WrongFeePayerError', findings: expect.arrayContaining(findings) }),
  )
})

test.each([undefined, null, 'x'])('rejects %s as options', (options) => {
  // Invalid on purpose: untyped callers can pass anything.
  expect(() => assertUsdcTransfer(options as never)).toThrow(
    expect.objectContaining({ name: 'InvalidOptionError' }),
  )
})
