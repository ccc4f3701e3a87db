import * as token from '@solana/spl-token'
import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokenAccountOf } from '../address/tokenAccountOf.ts'
import { formatBase58 } from '../encoding/formatBase58.ts'
import { parseBase64 } from '../encoding/parseBase64.ts'
import { programs } from '../instruction/programs.ts'
import { networkOf } from '../networks.ts'
import { encodeLength } from '../transaction/encodeMessage.ts'
import { type ParsedTransaction, parseTransaction } from '../transaction/parseTransaction.ts'
import { readTransaction } from '../transaction/readTransaction.ts'
import { assertUsdcTransfer } from '../usdcTransfer/assertUsdcTransfer.ts'
import { refuseOtherTransfers } from '../usdcTransfer/refuseOtherTransfers.ts'
import { usdcTransfer } from '../usdcTransfer/usdcTransfer.ts'
import { inspect } from './inspect.ts'

const keypair = (seed: number) => Keypair.fromSeed(new Uint8Array(32).fill(seed))
const [customer, merchant, sponsor, stranger] = [keypair(1), keypair(2), keypair(3), keypair(4)]
const from = customer.publicKey
const to = merchant.publicKey
const mint = new PublicKey(networkOf('sandbox').usdcMint)
const ata = (owner: PublicKey) => token.getAssociatedTokenAddressSync(mint, owner, true)
const blockhash = formatBase58(new Uint8Array(32).fill(9))
const amount = 1_500_000n
const base = { environment: 'sandbox', from, to, amount, sponsor: sponsor.publicKey } as const
const transfer = usdcTransfer({ ...base, paymentId: 'pay_1', blockhash, lastValidBlockHeight: 100 })
const bytes = parseBase64(transfer.transaction, { field: 'transaction' })
const wallet = from.toBase58()

const judge = (transaction: Uint8Array | string) => inspect({ transaction, wallet, expected: transfer })
const codes = (inspection: ReturnType<typeof inspect>) => inspection.findings.map(({ code }) => code)

/** Whether the check before a signature lets it pass. */
function isSigned(transaction: Uint8Array): boolean {
  try {
    refuseOtherTransfers(parseTransaction(transaction), { wallet, expected: transfer })
    return true
  } catch {
    return false
  }
}

/** `refuse`, or the name of the error for what is no transaction any more. */
function outcome(transaction: Uint8Array): string {
  try {
    const { verdict } = judge(transaction)
    return isSigned(transaction) === (verdict === 'ok')
      ? verdict
      : `${verdict}, and the signer does not agree`
  } catch (error) {
    return error instanceof Error ? error.name : 'thrown'
  }
}
const isRefused = (result: string) => result === 'refuse' || result === 'InvalidTransactionError'

/** Writes a parsed transaction back, whatever was done to it. */
function rebuild(parsed: ParsedTransaction): Uint8Array {
  const key = (text: string) => [...new PublicKey(text).toBytes()]
  return Uint8Array.from([
    ...encodeLength(parsed.signatures.length),
    ...parsed.signatures.flatMap((signature) => [...signature]),
    128,
    parsed.signers,
    parsed.readonlySigners,
    parsed.readonlyOthers,
    ...encodeLength(parsed.keys.length),
    ...parsed.keys.flatMap(key),
    ...key(parsed.blockhash),
    ...encodeLength(parsed.instructions.length),
    ...parsed.instructions.flatMap(({ program, accounts, data }) => [
      program,
      ...encodeLength(accounts.length),
      ...accounts,
      ...encodeLength(data.length),
      ...data,
    ]),
    0,
  ])
}

describe('a good transfer', () => {
  test('is ok, and told in words', () => {
    const inspection = judge(transfer.transaction)
    expect(inspection).toMatchObject({ kind: 'solanaUsdcTransfer', verdict: 'ok', findings: [] })
    expect(inspection.summary).toBe(
      `Pay 1.5 USDC (devnet) from ${wallet} to ${to.toBase58()}, payment id "pay_1". ${sponsor.publicKey.toBase58()} pays the fees.`,
    )
    expect(inspection.details.instructions.map(({ name }) => name)).toEqual([
      'setComputeUnitLimit',
      'setComputeUnitPrice',
      'createIdempotent',
      'memo',
      'transferChecked',
    ])
    expect(inspection.details.feeLamports).toBe(11_200n)
    expect(rebuild(parseTransaction(bytes))).toEqual(bytes)
  })

  test('is ok for the sponsor too, and for no other', () => {
    expect(inspect({ transaction: bytes, wallet: sponsor.publicKey, expected: transfer }).verdict).toBe('ok')
    expect(codes(inspect({ transaction: bytes, wallet: stranger.publicKey, expected: transfer }))).toEqual([
      'WRONG_WALLET',
    ])
  })
})

describe('what is taken only when it was said', () => {
  const { paymentId: _, rent: _rent, ...unnamed } = transfer
  const look = (transaction: string, expected: object, by = wallet) =>
    codes(inspect({ transaction, wallet: by, expected: expected as typeof transfer }))
  const withMemo = (paymentId: string) =>
    usdcTransfer({ ...base, paymentId, blockhash, lastValidBlockHeight: 100 }).transaction

  test('a memo that was not named: short, without accounts, and no sign-in', () => {
    const random = withMemo('f00d'.repeat(8))
    expect(look(random, unnamed)).toEqual(['WRONG_MEMO'])
    expect(look(random, { ...unnamed, anyMemo: true })).toEqual([])
    for (const anyMemo of ['true', 1, {}])
      expect(look(random, { ...unnamed, anyMemo })).toEqual(['WRONG_MEMO'])
    // A name counts more.
    expect(look(random, { ...transfer, anyMemo: true })).toEqual(['WRONG_MEMO'])
    expect(look(withMemo('a'.repeat(256)), { ...unnamed, anyMemo: true })).toEqual([])
    expect(look(withMemo('a'.repeat(257)), { ...unnamed, anyMemo: true })).not.toEqual([])
    const signIn = withMemo('shop.example wants you to sign in with your Solana account:')
    expect(look(signIn, { ...unnamed, anyMemo: true })).toEqual(['SIGN_IN'])
    const parsed = parseTransaction(parseBase64(random, { field: 'transaction' }))
    parsed.instructions[3]?.accounts.push(1)
    const named = Buffer.from(rebuild(parsed)).toString('base64')
    expect(look(named, { ...unnamed, anyMemo: true })).toEqual(['UNEXPECTED_ACCOUNT'])
  })

  test('a fee that the customer pays, and never rent', () => {
    const { sponsor: _sponsor, ...silent } = unnamed
    const paid = { ...silent, sponsor: from, paymentId: 'pay_1' }
    const theirs = new Transaction({ feePayer: from, blockhash, lastValidBlockHeight: 100 }).add(
      token.createAssociatedTokenAccountIdempotentInstruction(from, ata(to), to, mint),
      token.createTransferCheckedInstruction(ata(from), mint, ata(to), from, amount, 6),
    )
    const wire = Buffer.from(theirs.serialize({ requireAllSignatures: false })).toString('base64')
    const { paymentId: _id, computeUnitLimit: _limit, computeUnitPrice: _price, ...plain } = paid
    expect(look(wire, plain)).toEqual(['RENT_TOO_HIGH'])
    expect(look(wire, { ...plain, maxRentLamports: 2_039_280n })).toEqual([])
    expect(look(wire, { ...plain, sponsor: undefined })).toEqual(['CUSTOMER_PAYS_FEE', 'RENT_TOO_HIGH'])
  })
})

describe('one-field mutations', () => {
  test('refuses a change of any byte', () => {
    const passed: string[] = []
    // How many sign, how many of them are read only, how many of the others are: behind two signatures and
    // the version.
    const header = 1 + 2 * 64 + 1
    const everyBit = Array.from({ length: 255 }, (_, i) => i + 1)
    for (let at = 0; at < bytes.length; at++)
      for (const by of at >= header && at < header + 3 ? everyBit : [1, 2, 0x80, 0xff]) {
        const changed = Uint8Array.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ by
        if (!isRefused(outcome(changed))) passed.push(`byte ${at} ^ ${by}`)
      }
    expect(passed).toEqual([])
  }, 180_000)

  test('refuses source and destination that could not be written', () => {
    for (const more of [1, 2]) {
      const parsed = parseTransaction(bytes)
      parsed.readonlyOthers += more
      expect(codes(judge(rebuild(parsed)))).toEqual(Array(more).fill('NOT_WRITABLE'))
    }
    const parsed = parseTransaction(bytes)
    parsed.readonlyOthers++
    expect(() => assertUsdcTransfer({ transaction: rebuild(parsed), expected: transfer })).toThrow(
      expect.objectContaining({ name: 'UnexpectedAccountError' }),
    )
  })

  test('refuses any change of several bytes', () => {
    const change = fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }))
    fc.assert(
      fc.property(
        fc.uniqueArray(change, { minLength: 1, maxLength: 4, selector: ([at]) => at }),
        (changes) => {
          const changed = Uint8Array.from(bytes)
          for (const [at, by] of changes) changed[at] = (changed[at] ?? 0) ^ by
          expect(isRefused(outcome(changed))).toBe(true)
        },
      ),
      { numRuns: 3000 },
    )
  }, 180_000)

  test('refuses every account swapped for every other, and one account more or less', () => {
    const good = parseTransaction(bytes)
    const passed: string[] = []
    const attempt = (label: string, change: (parsed: ParsedTransaction) => void) => {
      const parsed = parseTransaction(bytes)
      change(parsed)
      if (!isRefused(outcome(rebuild(parsed)))) passed.push(label)
    }
    good.instructions.forEach((instruction, i) => {
      instruction.accounts.forEach((account, j) => {
        for (let other = 0; other < good.keys.length; other++)
          if (other !== account)
            attempt(`instruction ${i} account ${j} -> ${other}`, ({ instructions }) => {
              instructions[i]?.accounts.splice(j, 1, other)
            })
        attempt(`instruction ${i} without account ${j}`, ({ instructions }) => {
          instructions[i]?.accounts.splice(j, 1)
        })
      })
      for (let other = 0; other < good.keys.length; other++) {
        // A memo may name its signers; that is what they are for.
        if (i === 3 && other < 2) continue
        attempt(`instruction ${i} plus account ${other}`, ({ instructions }) => {
          instructions[i]?.accounts.push(other)
        })
        if (other !== instruction.program)
          attempt(`instruction ${i} by program ${other}`, ({ instructions }) => {
            instructions.splice(i, 1, { ...instruction, program: other })
          })
      }
      attempt(`without instruction ${i}`, ({ instructions }) => {
        instructions.splice(i, 1)
      })
      attempt(`instruction ${i} twice`, ({ instructions }) => {
        instructions.push(instruction)
      })
    })
    good.keys.forEach((_, i) => {
      attempt(`key ${i} replaced`, ({ keys }) => {
        keys.splice(i, 1, stranger.publicKey.toBase58())
      })
    })
    attempt('one key more', (parsed) => {
      parsed.keys.push(stranger.publicKey.toBase58())
      parsed.readonlyOthers++
    })
    attempt('one signer more', (parsed) => {
      parsed.keys.splice(2, 0, stranger.publicKey.toBase58())
      parsed.signers++
      parsed.readonlySigners++
      parsed.signatures.push(new Uint8Array(64))
      for (const instruction of parsed.instructions) {
        instruction.program++
        instruction.accounts = instruction.accounts.map((account) => (account < 2 ? account : account + 1))
      }
    })
    attempt('creation after the transfer', ({ instructions }) => {
      instructions.reverse()
    })
    expect(passed).toEqual([])
  })

  test('refuses a change of any bit of a signature', () => {
    const signed = VersionedTransaction.deserialize(bytes)
    signed.sign([customer, sponsor])
    const good = signed.serialize()
    expect(judge(good).verdict).toBe('ok')
    for (let at = 1; at <= 128; at++) {
      const changed = Uint8Array.from(good)
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
      expect(codes(judge(changed))).toEqual(['WRONG_SIGNATURE'])
    }
    const swapped = Uint8Array.from(good)
    swapped.set(good.slice(65, 129), 1)
    swapped.set(good.slice(1, 65), 65)
    expect(codes(judge(swapped))).toEqual(['WRONG_SIGNATURE', 'WRONG_SIGNATURE'])
  })

  test('lets the sponsor pay the rent that it expects, or what it allows, and no more', () => {
    const { rent, ...loose } = transfer
    const asSponsor = (expected: object) =>
      codes(
        // The change is an expectation's own fields.
        inspect({ transaction: bytes, wallet: sponsor.publicKey, expected: expected as typeof transfer }),
      )
    const tooHigh = ['RENT_TOO_HIGH']
    expect(asSponsor(transfer)).toEqual([])
    expect(asSponsor({ ...transfer, rent: { lamports: '0' } })).toEqual([])
    expect(asSponsor(loose)).toEqual(tooHigh)
    for (const [maxRentLamports, found] of [
      [0n, tooHigh],
      [2_039_279n, tooHigh],
      [2_039_280n, []],
      [2_039_281n, []],
    ] as const) {
      expect(asSponsor({ ...loose, maxRentLamports })).toEqual(found)
      expect(asSponsor({ ...transfer, maxRentLamports })).toEqual(found)
    }
    // It is not the customer's to pay.
    expect(codes(inspect({ transaction: bytes, wallet, expected: loose }))).toEqual([])
    expect(() =>
      assertUsdcTransfer({ transaction: bytes, wallet: sponsor.publicKey, expected: loose }),
    ).toThrow(expect.objectContaining({ name: 'FeeTooHighError', field: 'maxRentLamports' }))
  })

  test('refuses a change of any pinned field of the expectation', () => {
    const other = stranger.publicKey
    const changes = [
      { from: other },
      { to: other },
      { amount: amount + 1n },
      { amount: amount - 1n },
      { sponsor: other },
      { paymentId: 'pay_2' },
      { paymentId: undefined },
      { environment: 'prod' },
      { blockhash: other.toBase58() },
      { computeUnitLimit: 119_999 },
      { computeUnitPrice: 9_999n },
      { maxFeeLamports: 11_199n },
    ] as const
    for (const change of changes)
      expect(
        inspect({ transaction: bytes, wallet, expected: { ...transfer, ...change } }).verdict,
        JSON.stringify(Object.keys(change)),
      ).toBe('refuse')
    expect(
      inspect({ transaction: bytes, wallet, expected: { ...transfer, maxFeeLamports: 11_200n } }).verdict,
    ).toBe('ok')
  })
})

/** What web3.js and spl-token make of it, with whatever else a service may put in. */
function build(
  options: {
    extra?: TransactionInstruction[]
    main?: TransactionInstruction
    payer?: PublicKey
    tables?: AddressLookupTableAccount[]
  } = {},
) {
  const { extra = [], payer = sponsor.publicKey, tables } = options
  const main =
    options.main ?? token.createTransferCheckedInstruction(ata(from), mint, ata(to), from, amount, 6)
  return new VersionedTransaction(
    new TransactionMessage({
      payerKey: payer,
      recentBlockhash: blockhash,
      instructions: [
        token.createAssociatedTokenAccountIdempotentInstruction(payer, ata(to), to, mint),
        main,
        ...extra,
      ],
    }).compileToV0Message(tables),
  )
}
const { sponsor: _, ...open } = base

describe('transactions of other libraries', () => {
  test('are read whatever their form', () => {
    expect(inspect({ transaction: build(), wallet, expected: base })).toMatchObject({
      verdict: 'ok',
      findings: [],
    })
    expect(inspect({ transaction: build(), wallet, expected: open }).verdict).toBe('ok')
    const legacy = new Transaction({ feePayer: sponsor.publicKey, blockhash, lastValidBlockHeight: 1 }).add(
      ComputeBudgetProgram.setComputeUnitLimit({ units: 60_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1000 }),
      token.createAssociatedTokenAccountInstruction(sponsor.publicKey, ata(to), to, mint),
      token.createTransferCheckedInstruction(ata(from), mint, ata(to), from, amount, 6),
      new TransactionInstruction({
        programId: new PublicKey(programs.memo),
        keys: [{ pubkey: from, isSigner: true, isWritable: false }],
        data: Buffer.from('order 7'),
      }),
    )
    legacy.partialSign(customer)
    expect(
      inspect({ transaction: legacy, wallet, expected: { ...base, paymentId: 'order 7' } }),
    ).toMatchObject({
      verdict: 'ok',
      details: { missingSignatures: [sponsor.publicKey.toBase58()] },
    })
  })

  test('may carry references that were asked for, and no others', () => {
    const reference = keypair(9).publicKey
    const main = token.createTransferCheckedInstruction(ata(from), mint, ata(to), from, amount, 6)
    main.keys.push({ pubkey: reference, isSigner: false, isWritable: false })
    const transaction = build({ main })
    expect(inspect({ transaction, wallet, expected: { ...base, references: [reference] } }).verdict).toBe(
      'ok',
    )
    expect(codes(inspect({ transaction, wallet, expected: base }))).toEqual(['UNEXPECTED_ACCOUNT'])
  })

  test('have their lookup tables resolved, or are refused', () => {
    const lookup = (addresses: PublicKey[]) =>
      new AddressLookupTableAccount({
        key: keypair(8).publicKey,
        state: {
          deactivationSlot: 2n ** 64n - 1n,
          lastExtendedSlot: 0,
          lastExtendedSlotStartIndex: 0,
          addresses,
        },
      })
    const good = [ata(from), mint, ata(to), to]
    const transaction = build({ tables: [lookup(good)] })
    expect(transaction.message.addressTableLookups).toHaveLength(1)
    const see = (lookupTables?: AddressLookupTableAccount[]) =>
      inspect({ transaction, wallet, expected: base, lookupTables })
    expect(see([lookup(good)])).toMatchObject({ verdict: 'ok', findings: [] })
    expect(codes(see())).toContain('UNRESOLVED_LOOKUP_TABLE')
    expect(codes(see([lookup(good.slice(0, 2))]))).toContain('UNRESOLVED_LOOKUP_TABLE')
    expect(codes(see([lookup([ata(from), mint, ata(stranger.publicKey), to])]))).toContain(
      'WRONG_DESTINATION',
    )
    expect(codes(see([lookup([ata(from), mint, ata(from), to])]))).toContain('DUPLICATE_ACCOUNT')
    expect(() => assertUsdcTransfer({ transaction, expected: base })).toThrow(
      expect.objectContaining({ name: 'UnresolvedLookupTableError' }),
    )
  })
})

const other = stranger.publicKey
const t22 = token.TOKEN_2022_PROGRAM_ID
const main = (
  change: Partial<{
    source: PublicKey
    mint: PublicKey
    to: PublicKey
    owner: PublicKey
    amount: bigint
    decimals: number
    program: PublicKey
  }>,
) => {
  const {
    source = ata(from),
    to: destination = ata(to),
    owner = from,
    decimals = 6,
    program = token.TOKEN_PROGRAM_ID,
  } = change
  return token.createTransferCheckedInstruction(
    source,
    change.mint ?? mint,
    destination,
    owner,
    change.amount ?? amount,
    decimals,
    [],
    program,
  )
}
const prodMint = new PublicKey(networkOf('prod').usdcMint)
const malicious: [label: string, Parameters<typeof build>[0], errorName: string][] = [
  [
    'another transfer of SOL',
    { extra: [SystemProgram.transfer({ fromPubkey: from, toPubkey: other, lamports: 1 })] },
    'UnexpectedInstructionError',
  ],
  [
    'another transfer of USDC',
    { extra: [main({ to: ata(other), amount: 1n })] },
    'UnexpectedInstructionError',
  ],
  [
    'an unchecked transfer more',
    { extra: [token.createTransferInstruction(ata(from), ata(other), from, 1n)] },
    'UnexpectedInstructionError',
  ],
  [
    'an unchecked transfer instead',
    { main: token.createTransferInstruction(ata(from), ata(to), from, amount) },
    'UnexpectedInstructionError',
  ],
  [
    'a delegate approval',
    { extra: [token.createApproveInstruction(ata(from), other, from, 1n)] },
    'DelegateApprovalError',
  ],
  [
    'a checked delegate approval',
    { extra: [token.createApproveCheckedInstruction(ata(from), mint, other, from, 1n, 6)] },
    'DelegateApprovalError',
  ],
  [
    'a new owner',
    {
      extra: [token.createSetAuthorityInstruction(ata(from), from, token.AuthorityType.AccountOwner, other)],
    },
    'AuthorityChangeError',
  ],
  [
    'a new close authority',
    {
      extra: [token.createSetAuthorityInstruction(ata(from), from, token.AuthorityType.CloseAccount, other)],
    },
    'AuthorityChangeError',
  ],
  [
    'a close to a stranger',
    { extra: [token.createCloseAccountInstruction(ata(from), other, from)] },
    'AccountClosedError',
  ],
  [
    'a close to the customer',
    { extra: [token.createCloseAccountInstruction(ata(from), from, from)] },
    'AccountClosedError',
  ],
  [
    'the wallet assigned to a program',
    { extra: [SystemProgram.assign({ accountPubkey: from, programId: other })] },
    'AuthorityChangeError',
  ],
  [
    'a burn',
    { extra: [token.createBurnInstruction(ata(from), mint, from, 1n)] },
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
    'an unasked memo',
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
    'a heap request',
    { extra: [ComputeBudgetProgram.requestHeapFrame({ bytes: 1024 })] },
    'UnexpectedInstructionError',
  ],
  [
    'another account created',
    {
      extra: [
        token.createAssociatedTokenAccountIdempotentInstruction(sponsor.publicKey, ata(other), other, mint),
      ],
    },
    'UnexpectedInstructionError',
  ],
  ['another amount', { main: main({ amount: amount + 1n }) }, 'WrongAmountError'],
  ['other decimals', { main: main({ decimals: 9 }) }, 'WrongDecimalsError'],
  ['another mint', { main: main({ mint: other }) }, 'WrongMintError'],
  ["another network's USDC", { main: main({ mint: prodMint }) }, 'WrongNetworkError'],
  ['another destination', { main: main({ to: ata(other) }) }, 'UnexpectedAccountError'],
  ['another source', { main: main({ source: ata(other) }) }, 'UnexpectedAccountError'],
  ['another owner', { main: main({ owner: other }) }, 'UnexpectedAccountError'],
  ['the Token-2022 program', { main: main({ program: t22 }) }, 'UnexpectedInstructionError'],
  [
    'a Token-2022 transfer with a fee',
    {
      main: token.createTransferCheckedWithFeeInstruction(
        ata(from),
        mint,
        ata(to),
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

describe('malicious transactions', () => {
  test('a stranger who signs the memo is refused', () => {
    const memo = new TransactionInstruction({
      programId: new PublicKey(programs.memo),
      keys: [{ pubkey: other, isSigner: true, isWritable: false }],
      data: Buffer.from('pay_1'),
    })
    const asked = { transaction: build({ extra: [memo] }), expected: { ...base, paymentId: 'pay_1' } }
    expect(codes(inspect({ ...asked, wallet }))).toEqual(['EXTRA_SIGNER'])
    expect(() => assertUsdcTransfer(asked)).toThrow(
      expect.objectContaining({ name: 'UnexpectedSignerError' }),
    )
  })

  test.each(malicious)('%s is refused by its own error', (_label, options, errorName) => {
    const transaction = build(options)
    expect(inspect({ transaction, wallet, expected: base }).verdict).toBe('refuse')
    expect(() => assertUsdcTransfer({ transaction, expected: base })).toThrow(
      expect.objectContaining({ name: errorName, field: expect.any(String), fix: expect.any(String) }),
    )
  })

  test.each(malicious)('%s is not signed, by the same error', (_label, options, errorName) => {
    const parsed = readTransaction(build(options))
    expect(() => refuseOtherTransfers(parsed, { wallet, expected: base })).toThrow(
      expect.objectContaining({ name: errorName, field: expect.any(String), fix: expect.any(String) }),
    )
  })

  test('carries every finding with the error', () => {
    const transaction = build({
      payer: from,
      extra: [token.createApproveInstruction(ata(from), other, from, 1n)],
    })
    try {
      assertUsdcTransfer({ transaction, expected: base })
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ name: 'WrongFeePayerError' })
      // Known to be one of ours by the line above.
      const { findings } = error as { findings: { code: string }[] }
      expect(findings.map(({ code }) => code)).toEqual(
        expect.arrayContaining(['CUSTOMER_PAYS_FEE', 'DELEGATE_APPROVAL']),
      )
    }
  })
})

describe('without an expectation', () => {
  const withTable = new VersionedTransaction(
    new TransactionMessage({
      payerKey: sponsor.publicKey,
      recentBlockhash: blockhash,
      instructions: [main({})],
    }).compileToV0Message([
      new AddressLookupTableAccount({
        key: other,
        state: {
          deactivationSlot: 2n ** 64n - 1n,
          lastExtendedSlot: 0,
          lastExtendedSlotStartIndex: 0,
          addresses: [mint],
        },
      }),
    ]),
  )
  const verdict = (...extra: TransactionInstruction[]) => {
    const message = new TransactionMessage({
      payerKey: sponsor.publicKey,
      recentBlockhash: blockhash,
      instructions: extra,
    })
    return inspect({ transaction: new VersionedTransaction(message.compileToV0Message()), wallet })
  }

  test('what moves value is a warning', () => {
    expect(verdict(main({}))).toMatchObject({ kind: 'solanaTransaction', verdict: 'caution' })
    expect(verdict(SystemProgram.transfer({ fromPubkey: from, toPubkey: other, lamports: 1 })).verdict).toBe(
      'caution',
    )
    expect(verdict(token.createCloseAccountInstruction(ata(from), from, from)).verdict).toBe('caution')
    expect(inspect({ transaction: build({ payer: from }), wallet }).findings).toContainEqual(
      expect.objectContaining({ code: 'CUSTOMER_PAYS_FEE', severity: 'warning' }),
    )
  })

  test('what gives power away, or is not understood, is a danger', () => {
    expect(codes(verdict(token.createApproveInstruction(ata(from), other, from, 1n)))).toEqual([
      'DELEGATE_APPROVAL',
    ])
    expect(codes(verdict(token.createSetAuthorityInstruction(ata(from), from, 2, other)))).toEqual([
      'AUTHORITY_CHANGE',
    ])
    expect(codes(verdict(token.createCloseAccountInstruction(ata(from), other, from)))).toEqual([
      'ACCOUNT_CLOSED',
    ])
    expect(
      codes(verdict(SystemProgram.nonceAdvance({ noncePubkey: other, authorizedPubkey: from }))),
    ).toEqual(['DURABLE_NONCE'])
    expect(
      codes(verdict(new TransactionInstruction({ programId: other, keys: [], data: Buffer.alloc(0) }))),
    ).toEqual(['UNKNOWN_INSTRUCTION'])
    for (const instruction of [
      token.createApproveInstruction(ata(from), other, from, 1n),
      new TransactionInstruction({ programId: other, keys: [], data: Buffer.alloc(0) }),
    ])
      expect(verdict(instruction).verdict).toBe('refuse')
  })

  test('rent that the wallet pays is a warning, also when another pays the fee', () => {
    const create = (payer: PublicKey) =>
      token.createAssociatedTokenAccountInstruction(payer, ata(other), other, mint)
    expect(verdict(create(from)).verdict).toBe('caution')
    expect(codes(verdict(create(from)))).toEqual(['PAYS_RENT'])
    expect(verdict(create(sponsor.publicKey)).verdict).toBe('ok')
  })

  test('an account of the wallet made into that of a program is an authority change', () => {
    const take = SystemProgram.createAccount({
      fromPubkey: sponsor.publicKey,
      newAccountPubkey: from,
      lamports: 1,
      space: 0,
      programId: other,
    })
    expect(codes(verdict(take))).toEqual(['AUTHORITY_CHANGE'])
    expect(verdict(take).verdict).toBe('refuse')
  })

  test('a memo that signs the wallet in somewhere is a danger', () => {
    const text = `evil.example wants you to sign in with your Solana account:\n${wallet}\n\nURI: https://evil.example`
    const memo = new TransactionInstruction({
      programId: new PublicKey(programs.memo),
      keys: [{ pubkey: from, isSigner: true, isWritable: false }],
      data: Buffer.from(text),
    })
    expect(codes(verdict(memo))).toEqual(['SIGN_IN'])
    expect(verdict(memo).verdict).toBe('refuse')
  })

  test('text of others cannot pass for a part of the summary', () => {
    const seeded = SystemProgram.createAccountWithSeed({
      fromPubkey: from,
      newAccountPubkey: other,
      basePubkey: from,
      seed: 'a\n\u202e, lamports 0',
      lamports: 1,
      space: 0,
      programId: other,
    })
    expect(verdict(seeded).summary).toContain('seed "a\\n\\u202e, lamports 0", lamports 1')
  })

  test('what is neither is ok', () => {
    const memo = new TransactionInstruction({
      programId: new PublicKey(programs.memo),
      keys: [],
      data: Buffer.from('hi "you"'),
    })
    expect(verdict(memo)).toMatchObject({
      verdict: 'ok',
      summary: 'A transaction that does this: memo memo (text "hi \\"you\\"").',
    })
  })

  test('holds an expectation that cannot be meant against the transaction, or names it', () => {
    for (const change of [
      { computeUnitLimit: 1.5 },
      { computeUnitLimit: Number.NaN },
      { computeUnitLimit: Symbol('x') },
      { computeUnitPrice: Object.create(null) },
      { blockhash: Symbol('x') },
    ])
      expect(
        inspect({ transaction: bytes, wallet, expected: { ...transfer, ...change } as never }).verdict,
      ).toBe('refuse')
    const nonsense = [null, 'x', 5, Number.NaN, Number.POSITIVE_INFINITY, new Date(), Symbol('x')]
    for (const [field, values] of Object.entries({
      expected: [null, 'x', 5],
      lookupTables: [null, 'x', {}],
      maxFeeLamports: nonsense,
      maxRentLamports: nonsense,
      references: [null, 'x', {}],
      paymentId: [null, 5n, {}],
      'rent.lamports': [null, 'x', 1.5, [5], new Date(), Symbol('x'), Object.create(null)],
    }))
      for (const value of values) {
        const [name = ''] = field.split('.')
        const inner = name === field ? value : { lamports: value }
        const isOuter = name === 'expected' || name === 'lookupTables'
        const options = isOuter
          ? { transaction: bytes, wallet, expected: transfer, [name]: inner }
          : { transaction: bytes, wallet, expected: { ...transfer, [name]: inner } }
        expect(() => inspect(options as never), field).toThrow(
          expect.objectContaining({ name: 'InvalidOptionError', field }),
        )
      }
    for (const options of [undefined, null, 'x']) {
      expect(() => inspect(options as never)).toThrow(expect.objectContaining({ name: 'InvalidOptionError' }))
      expect(() => assertUsdcTransfer(options as never)).toThrow(
        expect.objectContaining({ name: 'InvalidOptionError' }),
      )
    }
    for (const serialize of [() => null, () => undefined])
      expect(() => inspect({ transaction: { serialize } as never, wallet })).toThrow(
        expect.objectContaining({ name: 'InvalidTransactionError', field: 'transaction' }),
      )
    for (const lookupTables of [[{ key: other, state: {} }], [{ key: other }]])
      expect(
        codes(inspect({ transaction: withTable, wallet, lookupTables: lookupTables as never })),
      ).toContain('UNRESOLVED_LOOKUP_TABLE')
  })

  test('has typed errors for what is no transaction or wallet', () => {
    expect(() => inspect({ transaction: 'AAAA', wallet })).toThrow(
      expect.objectContaining({ name: 'InvalidTransactionError' }),
    )
    expect(() => inspect({ transaction: transfer.transaction.slice(0, -3), wallet })).toThrow(
      expect.objectContaining({ name: 'InvalidBase64Error' }),
    )
    expect(() => inspect({ transaction: bytes, wallet: 'x' })).toThrow(
      expect.objectContaining({ name: 'InvalidAddressError' }),
    )
    expect(() =>
      inspect({ transaction: bytes, wallet, expected: { ...transfer, amount: 1.5 as never } }),
    ).toThrow(expect.objectContaining({ name: 'InvalidAmountError', field: 'amount' }))
    expect(tokenAccountOf({ owner: wallet, mint: mint.toBase58() })).toBe(ata(from).toBase58())
  })
})
