import { getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit'
import {
  decodeTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SYSVAR_RENT_PUBKEY,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { inspectRequest } from '../inspect/inspectRequest.ts'
import { networkOf, networks } from '../networks.ts'
import { blockhash, customer, merchant, sponsor, stranger } from '../solana.fixture.ts'
import { parseTransaction } from '../transaction/parseTransaction.ts'
import { programs } from '../transaction/programs.ts'
import { readRent } from './prepareUsdcTransfer.ts'
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

const good = {
  environment: 'sandbox',
  from: customer.publicKey,
  to: merchant.publicKey,
  sponsor: sponsor.publicKey,
  amount: 1_500_000n,
  paymentId: 'pay_1',
  blockhash,
  lastValidBlockHeight: 100,
} as const
const toWeb3 = (text: string) => VersionedTransaction.deserialize(Buffer.from(text, 'base64'))

describe('usdcTransfer', () => {
  describe.each(networks)('on $environment', ({ environment, usdcMint }) => {
    const read = toWeb3(usdcTransfer({ ...good, environment }).transaction)
    const message = TransactionMessage.decompile(read.message)
    const [, , , memo, pay] = message.instructions

    test('is parsed by web3.js as a version 0 transaction', () => {
      expect(read.version).toBe(0)
      expect(message.payerKey.equals(sponsor.publicKey)).toBe(true)
      expect(message.recentBlockhash).toBe(good.blockhash)
    })

    test('is decoded by spl-token as the requested payment', () => {
      const mint = new PublicKey(usdcMint)
      const { keys, data } = decodeTransferCheckedInstruction(pay as TransactionInstruction, TOKEN_PROGRAM_ID)
      expect(data).toMatchObject({ amount: 1_500_000n, decimals: 6 })
      expect(keys.source.pubkey).toEqual(getAssociatedTokenAddressSync(mint, customer.publicKey))
      expect(keys.destination.pubkey).toEqual(getAssociatedTokenAddressSync(mint, merchant.publicKey))
      expect(keys.mint.pubkey).toEqual(mint)
      expect(keys.owner).toEqual({ pubkey: customer.publicKey, isSigner: true, isWritable: false })
    })

    test('has the payment ID as its memo', () => {
      expect(memo?.data.toString()).toBe('pay_1')
    })
  })

  test('carries the references', () => {
    const references = [Keypair.generate().publicKey, Keypair.generate().publicKey.toBase58()]
    const built = usdcTransfer({ ...good, references })
    expect(built.references).toEqual(references.map(String))
    const pay = TransactionMessage.decompile(toWeb3(built.transaction).message).instructions.at(-1)
    expect(
      pay?.keys.slice(4).map(({ pubkey, isSigner, isWritable }) => [pubkey.toBase58(), isSigner, isWritable]),
    ).toEqual(references.map((key) => [String(key), false, false]))
  })

  test.each(['x', [5], [null], {}])('rejects invalid references: %j', (wrong) => {
    expect(() => usdcTransfer({ ...good, references: wrong as never })).toThrow(
      expect.objectContaining({ field: 'references' }),
    )
  })

  test("has x402's order if requested: the transfer directly after the compute budget, no account creation", () => {
    const built = usdcTransfer({ ...good, layout: 'x402' })
    expect(built.rent).toBeUndefined()
    const { instructions } = TransactionMessage.decompile(toWeb3(built.transaction).message)
    expect(instructions.map(({ programId }) => programId.toBase58())).toEqual([
      programs.computeBudget,
      programs.computeBudget,
      programs.token,
      programs.memo,
    ])
    expect(instructions.at(-1)?.data.toString()).toBe('pay_1')
  })

  test('rejects another layout', () => {
    expect(() => usdcTransfer({ ...good, layout: 'X402' as never })).toThrow(
      expect.objectContaining({ name: 'InvalidOptionError', field: 'layout' }),
    )
  })

  test('equals the instructions compiled by web3.js, byte for byte', () => {
    const { transaction } = usdcTransfer(good)
    const read = toWeb3(transaction)
    const again = TransactionMessage.decompile(read.message).compileToV0Message()
    // web3.js also sorts by first use, so the same instructions give the same message.
    expect(Buffer.from(again.serialize()).toString('hex')).toBe(
      Buffer.from(read.message.serialize()).toString('hex'),
    )
  })

  test('is decoded identically by kit', () => {
    const bytes = Buffer.from(usdcTransfer(good).transaction, 'base64')
    const { messageBytes, signatures } = getTransactionDecoder().decode(bytes)
    const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
    expect(message).toMatchObject({
      version: 0,
      header: { numSignerAccounts: 2, numReadonlySignerAccounts: 1 },
      lifetimeToken: good.blockhash,
    })
    expect(Object.keys(signatures)).toEqual([sponsor.publicKey.toBase58(), customer.publicKey.toBase58()])
  })

  test('every valid request passes: inspectRequest(usdcTransfer(x)) ≡ ok', () => {
    const options = fc.record({
      amount: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
      paymentId: fc.option(fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }), { nil: undefined }),
      computeUnitLimit: fc.integer({ min: 1, max: 1_400_000 }),
      computeUnitPrice: fc.bigInt({ min: 0n, max: 50_000n }),
      environment: fc.constantFrom('sandbox' as const, 'prod' as const),
    })
    fc.assert(
      fc.property(options, (change) => {
        const transfer = usdcTransfer({ ...good, ...change })
        expect(
          inspectRequest({ transaction: transfer.transaction, wallet: good.from, expected: transfer })
            .findings,
        ).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['by default', {}, '2039280'],
    ['of a bigint', { rent: { lamports: 0n } }, '0'],
    ['of text', { rent: { lamports: '2039280' } }, '2039280'],
  ])('returns the rent in the wire format, %s', (_label, change, lamports) => {
    expect(usdcTransfer({ ...good, ...change }).rent).toEqual({ lamports })
  })

  const [vault] = PublicKey.findProgramAddressSync([Buffer.from('vault')], merchant.publicKey)
  test("does not pay a program's vault", () => {
    expect(() => usdcTransfer({ ...good, to: vault })).toThrow(
      expect.objectContaining({ name: 'OwnerOffCurveError', field: 'to' }),
    )
  })

  test("pays a program's vault if the caller allows it", () => {
    const transfer = usdcTransfer({ ...good, to: vault, allowOwnerOffCurve: true })
    expect(
      inspectRequest({ transaction: transfer.transaction, wallet: good.from, expected: transfer }).verdict,
    ).toBe('ok')
  })

  test.each([
    ['x'.repeat(500), 3],
    ['é'.repeat(250), 3],
    ['\u{1f600}'.repeat(125), 4],
  ] as const)('fits the longest payment ID into a transaction (%#)', (paymentId, memoVersion) => {
    expect(usdcTransfer({ ...good, paymentId, memoVersion })).toMatchObject({ paymentId })
  })

  test('accepts a fee at its limit', () => {
    expect(usdcTransfer({ ...good, maxFeeLamports: 11_200n })).toMatchObject({ maxFeeLamports: 11_200n })
  })

  test.each([undefined, null, 'x'])('rejects %s as options', (options) => {
    expect(() => usdcTransfer(options as never)).toThrow(
      expect.objectContaining({ name: 'InvalidOptionError', field: 'options' }),
    )
  })

  const tokenAccount = getAssociatedTokenAddressSync(
    new PublicKey(networkOf('sandbox').usdcMint),
    merchant.publicKey,
  )
  test.each<[field: string, change: object, name: string]>([
    ['from', { from: 'x' }, 'InvalidAddressError'],
    ['to', { to: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' }, 'InvalidAddressError'],
    ['to', { to: tokenAccount }, 'OwnerOffCurveError'],
    ['to', { to: customer.publicKey }, 'InvalidAddressError'],
    ['to', { to: networkOf('sandbox').usdcMint, allowOwnerOffCurve: true }, 'InvalidAddressError'],
    ['to', { to: programs.system, allowOwnerOffCurve: true }, 'InvalidAddressError'],
    ['from', { from: tokenAccount }, 'OwnerOffCurveError'],
    ['sponsor', { sponsor: customer.publicKey }, 'InvalidAddressError'],
    ['sponsor', { sponsor: tokenAccount }, 'OwnerOffCurveError'],
    ['amount', { amount: 0n }, 'InvalidAmountError'],
    ['amount', { amount: -1n }, 'InvalidAmountError'],
    ['amount', { amount: 2n ** 64n }, 'InvalidAmountError'],
    ['amount', { amount: 1.5 }, 'InvalidAmountError'],
    ['amount', { amount: '1500000' }, 'InvalidAmountError'],
    ['environment', { environment: 'devnet' }, 'UnknownNetworkError'],
    ['blockhash', { blockhash: good.blockhash.slice(0, -2) }, 'InvalidBase58Error'],
    ['lastValidBlockHeight', { lastValidBlockHeight: -1 }, 'InvalidOptionError'],
    ['lastValidBlockHeight', { lastValidBlockHeight: undefined }, 'InvalidOptionError'],
    ['computeUnitLimit', { computeUnitLimit: 1_400_001 }, 'InvalidOptionError'],
    ['computeUnitLimit', { computeUnitLimit: 0 }, 'InvalidOptionError'],
    ['computeUnitPrice', { computeUnitPrice: 1 }, 'InvalidOptionError'],
    ['computeUnitPrice', { computeUnitPrice: -1n }, 'InvalidOptionError'],
    ['paymentId', { paymentId: '' }, 'InvalidOptionError'],
    ['paymentId', { paymentId: 5 }, 'InvalidOptionError'],
    ['paymentId', { paymentId: null }, 'InvalidOptionError'],
    ['paymentId', { paymentId: ['x'] }, 'InvalidOptionError'],
    ['paymentId', { paymentId: 'half a character \ud800' }, 'InvalidOptionError'],
    ['paymentId', { paymentId: 'x'.repeat(501) }, 'InvalidOptionError'],
    ['rent.lamports', { rent: { lamports: 1.5 } }, 'InvalidOptionError'],
    ['rent.lamports', { rent: { lamports: '01' } }, 'InvalidOptionError'],
    ['rent.lamports', { rent: { lamports: -1n } }, 'InvalidOptionError'],
    ['paymentId', { paymentId: '€'.repeat(167) }, 'InvalidOptionError'],
    ['paymentId', { paymentId: 'é'.repeat(251) }, 'InvalidOptionError'],
    ['maxFeeLamports', { maxFeeLamports: 11_199n }, 'InvalidOptionError'],
    ['maxFeeLamports', { maxFeeLamports: 100_000 }, 'InvalidOptionError'],
    ['maxFeeLamports', { maxFeeLamports: Number.POSITIVE_INFINITY }, 'InvalidOptionError'],
    ['maxFeeLamports', { maxFeeLamports: new Date() }, 'InvalidOptionError'],
    ['maxFeeLamports', { computeUnitPrice: 2n ** 63n }, 'InvalidOptionError'],
    ['rent.lamports', { rent: {} }, 'InvalidOptionError'],
    ['rent.lamports', { rent: { lamports: [5] } }, 'InvalidOptionError'],
    ['from', { from: programs.system }, 'InvalidAddressError'],
    ['sponsor', { sponsor: programs.system }, 'InvalidAddressError'],
    ['sponsor', { sponsor: networkOf('prod').usdcMint }, 'InvalidAddressError'],
    ['to', { to: networkOf('prod').usdcMint }, 'InvalidAddressError'],
    ...[
      'SysvarRent111111111111111111111111111111111',
      'Sysvar1nstructions1111111111111111111111111',
      'Stake11111111111111111111111111111111111111',
      'Vote111111111111111111111111111111111111111',
      'Config1111111111111111111111111111111111111',
      'NativeLoader1111111111111111111111111111111',
      'BPFLoaderUpgradeab1e11111111111111111111111',
      'AddressLookupTab1e1111111111111111111111111',
      'Ed25519SigVerify111111111111111111111111111',
      'KeccakSecp256k11111111111111111111111111111',
      '1nc1nerator11111111111111111111111111111111',
      'So11111111111111111111111111111111111111112',
    ].map(
      (to) =>
        ['to', { to, allowOwnerOffCurve: true }, 'InvalidAddressError'] satisfies [string, object, string],
    ),
  ])('refuses a bad %s: %o', (field, change, name) => {
    // Invalid on purpose: untyped callers can pass anything.
    expect(() => usdcTransfer({ ...good, ...change } as never)).toThrow(
      expect.objectContaining({ name, field, fix: expect.any(String) }),
    )
  })
})

describe('readAccounts', () => {
  const rentOf = (answer: unknown, max?: bigint) => {
    const getMinimumBalanceForRentExemption = vi.fn(async () => answer as number)
    return readRent({ getMinimumBalanceForRentExemption }, max)
  }

  // 6960 lamports per byte today, 696 after SIMD-0437: 165 bytes and 128 more.
  test.each([2_039_280, 203_928, 1])('returns the rent that the node reports: %i', async (lamports) => {
    expect(await rentOf(lamports)).toBe(BigInt(lamports))
  })

  test.each([2_039_281, 0, -0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', 1n, null, undefined])(
    'rejects a rent that no token account ever had: %s',
    async (lamports) => {
      await expect(rentOf(lamports)).rejects.toMatchObject({ name: 'FeeTooHighError', field: 'rent' })
    },
  )

  test("respects the caller's limit", async () => {
    expect(await rentOf(2_039_281, 3_000_000n)).toBe(2_039_281n)
    await expect(rentOf(203_929, 203_928n)).rejects.toMatchObject({ name: 'FeeTooHighError' })
  })

  test('reports an invalid limit', async () => {
    await expect(rentOf(1, 1 as never)).rejects.toMatchObject({
      name: 'InvalidOptionError',
      field: 'maxRentLamports',
    })
  })
})

describe('other libraries', () => {
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
      ['a loaded accounts data size limit', limit(4, 65_536)],
      ['a heap of 32 kB', limit(1, 32_768)],
      ['a heap of 256 kB', limit(1, 262_144)],
    ])('%s is accepted', (_what, instruction) => {
      expect(look(instruction).verdict).toBe('ok')
      expect(codesOf(look(instruction, instruction))).toEqual(['UNEXPECTED_INSTRUCTION'])
    })

    test.each([
      ['a data limit of zero', limit(4, 0)],
      ['a heap below the minimum', limit(1, 31_744)],
      ['a heap of odd size', limit(1, 32_769)],
      ['a heap above the maximum', limit(1, 263_168)],
    ])('%s is refused, because the chain rejects it', (_what, instruction) => {
      expect(codesOf(look(instruction))).toEqual(['WRONG_COMPUTE_BUDGET'])
    })

    const created = (key: PublicKey) => {
      const message = TransactionMessage.decompile(VersionedTransaction.deserialize(bytes).message)
      message.instructions[2]?.keys.push({ pubkey: key, isSigner: false, isWritable: false })
      return inspectAsTransfer(new VersionedTransaction(message.compileToV0Message()).serialize())
    }
    test('the account creation may list the rent sysvar, and no other extra account', () => {
      expect(created(SYSVAR_RENT_PUBKEY).verdict).toBe('ok')
      expect(codesOf(created(stranger.publicKey))).toEqual(['UNEXPECTED_ACCOUNT'])
    })

    test.each(['memoV1', 'memo', 'memoV4'] as const)(
      'a payment ID in a memo of the program %s is accepted',
      (name) => {
        const message = TransactionMessage.decompile(VersionedTransaction.deserialize(bytes).message)
        for (const instruction of message.instructions)
          if (instruction.programId.toBase58() === programs.memo)
            instruction.programId = new PublicKey(programs[name])
        const transaction = new VersionedTransaction(message.compileToV0Message()).serialize()
        expect(inspectAsTransfer(transaction).verdict).toBe('ok')
      },
    )
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

    test('rejects a memo that needs too many compute units, unless `computeUnitLimit` is passed', () => {
      const paymentId = '語'.repeat(100)
      expect(() => usdcTransfer({ ...options, paymentId })).toThrow(
        expect.objectContaining({ name: 'InvalidOptionError', field: 'paymentId' }),
      )
      const computeUnitLimit = 1_400_000
      expect(usdcTransfer({ ...options, paymentId, computeUnitLimit })).toMatchObject({ computeUnitLimit })
    })

    test('rejects another version', () => {
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

    test('a memo that imitates a sign-in is a danger', () => {
      expect(codes(memo('shop.example wants you to sign in with your Solana account'))).toMatchObject([
        { severity: 'danger', code: 'SIGN_IN' },
      ])
    })

    test.each(['pay_1', 'Invoice 12 for signage', 'blog entry'])(
      'a memo that is not a sign-in has no finding: %s',
      (text) => {
        expect(codes(memo(text))).toEqual([])
      },
    )

    test('the extra accounts of a transfer hook are a separate warning', () => {
      const hooked = pay({ program: new PublicKey(programs.token2022) })
      expect(codes(hooked)).toMatchObject([{ severity: 'warning', code: 'EXTRA_TRANSFER' }])
      hooked.keys.push({ pubkey: stranger.publicKey, isSigner: false, isWritable: true })
      expect(codes(hooked)).toMatchObject([
        { severity: 'warning', code: 'EXTRA_TRANSFER' },
        { severity: 'warning', code: 'UNEXPECTED_ACCOUNT' },
      ])
    })
  })
})
