import * as token from '@solana/spl-token'
import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  PublicKey,
  Transaction,
  TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { parseBase64 } from '../../core/base64.ts'
import { inspectRequest } from '../inspect/inspectRequest.ts'
import { blockhash, customer, keypair, mint, sponsor, stranger, usdcAccountOf } from '../solana.fixture.ts'
import { parseTransaction } from '../transaction/parseTransaction.ts'
import { programs } from '../transaction/programs.ts'
import { assertUsdcTransfer } from './assertUsdcTransfer.ts'
import {
  amount,
  base,
  build,
  bytes,
  codesOf,
  from,
  inspectAsTransfer,
  pay,
  rebuild,
  to,
  transfer,
  wallet,
} from './usdcTransfer.fixture.ts'
import { usdcTransfer } from './usdcTransfer.ts'

const { paymentId: _, rent: _rent, ...unnamed } = transfer
/** Returns the customer's findings for a transfer that is compared with arbitrary expected fields. */
const look = (transaction: Uint8Array | string, expected: object) =>
  // The change contains fields of an expectation, some of them invalid on purpose.
  codesOf(inspectRequest({ transaction, wallet, expected: expected as typeof transfer }))

describe('a memo that was not expected', () => {
  const withMemo = (paymentId: string) =>
    usdcTransfer({ ...base, paymentId, blockhash, lastValidBlockHeight: 100, computeUnitLimit: 120_000 })
      .transaction
  const random = withMemo('f00d'.repeat(8))
  const anyMemo = { ...unnamed, anyMemo: true }

  test('is refused', () => {
    expect(look(random, unnamed)).toEqual(['WRONG_MEMO'])
  })

  test('is accepted with `anyMemo`', () => {
    expect(look(random, anyMemo)).toEqual([])
  })

  test.each(['true', 1, {}])('is refused when `anyMemo` is %j instead of true', (almost) => {
    expect(look(random, { ...unnamed, anyMemo: almost })).toEqual(['WRONG_MEMO'])
  })

  test('is refused with `anyMemo` and a payment ID, because the ID takes precedence', () => {
    expect(look(random, { ...transfer, anyMemo: true })).toEqual(['WRONG_MEMO'])
  })

  test('may be up to 256 bytes long with `anyMemo`', () => {
    expect(look(withMemo('a'.repeat(256)), anyMemo)).toEqual([])
    expect(look(withMemo('a'.repeat(257)), anyMemo)).not.toEqual([])
  })

  test('must not be a sign-in, even with `anyMemo`', () => {
    const signIn = withMemo('shop.example wants you to sign in with your Solana account:')
    expect(look(signIn, anyMemo)).toEqual(['SIGN_IN'])
  })

  test('must not list accounts, even with `anyMemo`', () => {
    const parsed = parseTransaction(parseBase64(random, 'transaction'))
    parsed.instructions[3]?.accounts.push(1)
    expect(look(rebuild(parsed), anyMemo)).toEqual(['UNEXPECTED_ACCOUNT'])
  })
})

describe('a transaction whose fee the customer pays', () => {
  const { sponsor: _sponsor, computeUnitLimit: _limit, computeUnitPrice: _price, ...silent } = unnamed
  const theirs = new Transaction({ feePayer: from, blockhash, lastValidBlockHeight: 100 }).add(
    token.createAssociatedTokenAccountIdempotentInstruction(from, usdcAccountOf(to), to, mint),
    pay(),
  )
  const wire = theirs.serialize({ requireAllSignatures: false }).toString('base64')

  test('is refused because of its rent if only the fee was limited', () => {
    expect(look(wire, { ...silent, sponsor: from })).toEqual(['RENT_TOO_HIGH'])
  })

  test('is accepted if the fee and the rent were limited', () => {
    expect(look(wire, { ...silent, sponsor: from, maxRentLamports: 2_039_280n })).toEqual([])
  })

  test('is refused for its fee and its rent if neither has a limit', () => {
    expect(look(wire, { ...silent, sponsor: undefined })).toEqual(['CUSTOMER_PAYS_FEE', 'RENT_TOO_HIGH'])
  })
})

describe('the rent that a sponsor pays', () => {
  const { rent, ...loose } = transfer
  const tooHigh = ['RENT_TOO_HIGH']
  const asSponsor = (expected: object) =>
    // The change contains only fields of an expectation.
    codesOf(
      inspectRequest({
        transaction: bytes,
        wallet: sponsor.publicKey,
        expected: expected as typeof transfer,
      }),
    )

  test.each([
    ['is accepted if it equals the rent of the transfer', transfer, []],
    ['is accepted if the caller expects an existing account', { ...transfer, rent: { lamports: '0' } }, []],
    ['is too high if the caller did not state it', loose, tooHigh],
  ])('%s', (_label, expected, found) => {
    expect(asSponsor(expected)).toEqual(found)
  })

  test.each([
    [0n, tooHigh],
    [2_039_279n, tooHigh],
    [2_039_280n, []],
    [2_039_281n, []],
  ])('with up to %s lamports allowed, has the findings %j', (maxRentLamports, found) => {
    expect(asSponsor({ ...loose, maxRentLamports })).toEqual(found)
    expect(asSponsor({ ...transfer, maxRentLamports })).toEqual(found)
  })

  test("is not limited in the customer's check", () => {
    expect(look(bytes, loose)).toEqual([])
  })

  test('throws FeeTooHighError above maxRentLamports', () => {
    expect(() =>
      assertUsdcTransfer({ transaction: bytes, wallet: sponsor.publicKey, expected: loose }),
    ).toThrow(expect.objectContaining({ name: 'FeeTooHighError', field: 'maxRentLamports' }))
  })
})

describe('a pinned field of the expectation', () => {
  const other = stranger.publicKey
  test.each<[field: keyof typeof transfer, value: unknown]>([
    ['from', other],
    ['to', other],
    ['amount', amount + 1n],
    ['amount', amount - 1n],
    ['sponsor', other],
    ['paymentId', 'pay_2'],
    ['paymentId', undefined],
    ['environment', 'prod'],
    ['blockhash', other.toBase58()],
    ['computeUnitLimit', 119_999],
    ['computeUnitPrice', 9_999n],
    ['maxFeeLamports', 11_199n],
    // Values of another type, which equal no field.
    ['computeUnitLimit', 1.5],
    ['computeUnitLimit', Number.NaN],
    ['computeUnitLimit', Symbol('x')],
    ['computeUnitPrice', Object.create(null)],
    ['blockhash', Symbol('x')],
  ])('%s is refused when it differs', (field, value) => {
    const expected = { ...transfer, [field]: value }
    expect(inspectRequest({ transaction: bytes, wallet, expected }).verdict).toBe('refuse')
  })

  test('maxFeeLamports may equal the fee', () => {
    const expected = { ...transfer, maxFeeLamports: 11_200n }
    expect(inspectRequest({ transaction: bytes, wallet, expected }).verdict).toBe('ok')
  })
})

describe('existing signatures', () => {
  const signed = VersionedTransaction.deserialize(bytes)
  signed.sign([customer, sponsor])
  const good = signed.serialize()

  test('are accepted if correct', () => {
    expect(inspectAsTransfer(good).verdict).toBe('ok')
  })

  test('are refused after any bit is changed', () => {
    for (let at = 1; at <= 128; at++) {
      const changed = Uint8Array.from(good)
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
      expect(codesOf(inspectAsTransfer(changed))).toEqual(['WRONG_SIGNATURE'])
    }
  })

  test('are refused if they are swapped', () => {
    const swapped = Uint8Array.from(good)
    swapped.set(good.slice(65, 129), 1)
    swapped.set(good.slice(1, 65), 65)
    expect(codesOf(inspectAsTransfer(swapped))).toEqual(['WRONG_SIGNATURE', 'WRONG_SIGNATURE'])
  })
})

describe('transactions of other libraries', () => {
  test('are accepted without a compute budget and a memo', () => {
    expect(inspectRequest({ transaction: build(), wallet, expected: base })).toMatchObject({
      verdict: 'ok',
      findings: [],
    })
  })

  test('are accepted with any sponsor if none was expected', () => {
    const { sponsor: _sponsor, ...open } = base
    expect(inspectRequest({ transaction: build(), wallet, expected: open }).verdict).toBe('ok')
  })

  test("are accepted in the legacy form, with the customer's signature", () => {
    const legacy = new Transaction({ feePayer: sponsor.publicKey, blockhash, lastValidBlockHeight: 1 }).add(
      ComputeBudgetProgram.setComputeUnitLimit({ units: 60_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1000 }),
      token.createAssociatedTokenAccountInstruction(sponsor.publicKey, usdcAccountOf(to), to, mint),
      pay(),
      new TransactionInstruction({
        programId: new PublicKey(programs.memo),
        keys: [{ pubkey: from, isSigner: true, isWritable: false }],
        data: Buffer.from('order 7'),
      }),
    )
    legacy.partialSign(customer)
    expect(
      inspectRequest({ transaction: legacy, wallet, expected: { ...base, paymentId: 'order 7' } }),
    ).toMatchObject({
      verdict: 'ok',
      details: { missingSignatures: [sponsor.publicKey.toBase58()] },
    })
  })
})

describe('references', () => {
  const reference = keypair(9).publicKey
  const main = pay()
  main.keys.push({ pubkey: reference, isSigner: false, isWritable: false })
  const transaction = build({ main })

  test('are accepted if expected', () => {
    const expected = { ...base, references: [reference] }
    expect(inspectRequest({ transaction, wallet, expected }).verdict).toBe('ok')
  })

  test('are refused if not expected', () => {
    expect(look(transaction.serialize(), base)).toEqual(['UNEXPECTED_ACCOUNT'])
  })
})

describe('lookup tables', () => {
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
  const [source, destination] = [usdcAccountOf(from), usdcAccountOf(to)]
  const good = [source, mint, destination, to]
  const transaction = build({ tables: [lookup(good)] })
  const see = (lookupTables?: AddressLookupTableAccount[]) =>
    inspectRequest({ transaction, wallet, expected: base, lookupTables })

  test('are resolved', () => {
    expect(transaction.message.addressTableLookups).toHaveLength(1)
    expect(see([lookup(good)])).toMatchObject({ verdict: 'ok', findings: [] })
  })

  test.each([
    ['that are not given', undefined, 'UNRESOLVED_LOOKUP_TABLE'],
    ['that are too short', [source, mint], 'UNRESOLVED_LOOKUP_TABLE'],
    [
      'that resolve to another account',
      [source, mint, usdcAccountOf(stranger.publicKey), to],
      'WRONG_DESTINATION',
    ],
    ['that list an account twice', [source, mint, source, to], 'DUPLICATE_ACCOUNT'],
  ])('%s are refused', (_label, addresses, code) => {
    expect(codesOf(see(addresses && [lookup(addresses)]))).toContain(code)
  })

  test('that are missing throw UnresolvedLookupTableError', () => {
    expect(() => assertUsdcTransfer({ transaction, expected: base })).toThrow(
      expect.objectContaining({ name: 'UnresolvedLookupTableError' }),
    )
  })
})
