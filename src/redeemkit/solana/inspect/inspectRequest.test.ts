import * as token from '@solana/spl-token'
import {
  AddressLookupTableAccount,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { address, base, now, write } from '../authMessage/authMessage.fixture.ts'
import { blockhash, mint, sponsor, stranger, usdcAccountOf } from '../solana.fixture.ts'
import { programs } from '../transaction/programs.ts'
import {
  build,
  bytes,
  codesOf,
  from,
  inspectAsTransfer,
  pay,
  to,
  transfer,
  wallet,
} from '../usdcTransfer/usdcTransfer.fixture.ts'
import { inspectMessage } from './inspectMessage.ts'
import { inspectRequest } from './inspectRequest.ts'

const other = stranger.publicKey
const inspectInstruction = (instruction: TransactionInstruction) => {
  const message = new TransactionMessage({
    payerKey: sponsor.publicKey,
    recentBlockhash: blockhash,
    instructions: [instruction],
  })
  return inspectRequest({ transaction: new VersionedTransaction(message.compileToV0Message()), wallet })
}
const memo = (text: string, keys: TransactionInstruction['keys'] = []) =>
  new TransactionInstruction({
    programId: new PublicKey(programs.memo),
    keys,
    data: Buffer.from(text),
  })

describe('the expected transfer', () => {
  test('is ok for the customer', () => {
    expect(inspectAsTransfer(transfer.transaction)).toMatchObject({
      kind: 'solanaUsdcTransfer',
      verdict: 'ok',
      findings: [],
    })
  })

  test('is described', () => {
    expect(inspectAsTransfer(transfer.transaction).summary).toBe(
      [
        `Sends 1.50 USDC to ${to.toBase58().slice(0, 4)}…${to.toBase58().slice(-4)}.`,
        'Amount: 1.50 USDC',
        `Receiver: ${to.toBase58()}`,
        `Token: ${mint.toBase58()}`,
        'Chain: Solana devnet',
        `Account: ${wallet}`,
        'Memo: "pay_1"',
        `Fee payer: ${sponsor.publicKey.toBase58()}`,
      ].join('\n'),
    )
  })

  test('lists its instructions by name, in order', () => {
    const { instructions } = inspectAsTransfer(transfer.transaction).details
    expect(instructions.map(({ name }) => name)).toEqual([
      'setComputeUnitLimit',
      'setComputeUnitPrice',
      'createIdempotent',
      'memo',
      'transferChecked',
    ])
  })

  test('reports its fee', () => {
    expect(inspectAsTransfer(transfer.transaction).details.feeLamports).toBe(11_200n)
  })

  test('is ok for the sponsor', () => {
    expect(
      inspectRequest({ transaction: bytes, wallet: sponsor.publicKey, expected: transfer }).verdict,
    ).toBe('ok')
  })

  test('is refused for another wallet', () => {
    expect(codesOf(inspectRequest({ transaction: bytes, wallet: other, expected: transfer }))).toEqual([
      'WRONG_WALLET',
    ])
  })
})

describe('without an expectation, moving value is a warning', () => {
  test('a payment', () => {
    expect(inspectInstruction(pay())).toMatchObject({ kind: 'solanaTransaction', verdict: 'caution' })
  })

  test.each([
    ['a transfer of SOL', SystemProgram.transfer({ fromPubkey: from, toPubkey: other, lamports: 1 })],
    [
      'closing an account to the wallet itself',
      token.createCloseAccountInstruction(usdcAccountOf(from), from, from),
    ],
  ])('%s', (_label, instruction) => {
    expect(inspectInstruction(instruction).verdict).toBe('caution')
  })

  test('the fee of the transaction', () => {
    expect(inspectRequest({ transaction: build({ payer: from }), wallet }).findings).toContainEqual(
      expect.objectContaining({ code: 'CUSTOMER_PAYS_FEE', severity: 'warning' }),
    )
  })

  const create = (payer: PublicKey) =>
    token.createAssociatedTokenAccountInstruction(payer, usdcAccountOf(other), other, mint)
  test('rent that the wallet pays, even if another account pays the fee', () => {
    expect(inspectInstruction(create(from)).verdict).toBe('caution')
    expect(codesOf(inspectInstruction(create(from)))).toEqual(['PAYS_RENT', 'NOT_COMPARED'])
  })

  test('rent that another account pays is not reported', () => {
    const inspection = inspectInstruction(create(sponsor.publicKey))
    expect(codesOf(inspection)).toEqual(['NOT_COMPARED'])
    expect(inspection.verdict).toBe('caution')
  })
})

describe('without an expectation, giving control away is a danger', () => {
  const account = usdcAccountOf(from)
  const signIn = `evil.example wants you to sign in with your Solana account:\n${wallet}\n\nURI: https://evil.example`
  test.each([
    [
      'an approval of everything',
      'UNLIMITED_APPROVAL',
      token.createApproveInstruction(account, other, from, 2n ** 64n - 1n),
    ],
    ['a new owner', 'AUTHORITY_CHANGE', token.createSetAuthorityInstruction(account, from, 2, other)],
    [
      'wrapped SOL for a stranger',
      'ACCOUNT_CLOSED',
      token.createCloseAccountInstruction(
        token.getAssociatedTokenAddressSync(token.NATIVE_MINT, from),
        other,
        from,
      ),
    ],
    [
      'the wallet turned into an account of a program',
      'AUTHORITY_CHANGE',
      SystemProgram.createAccount({
        fromPubkey: sponsor.publicKey,
        newAccountPubkey: from,
        lamports: 1,
        space: 0,
        programId: other,
      }),
    ],
    [
      'a memo that is a sign-in',
      'SIGN_IN',
      memo(signIn, [{ pubkey: from, isSigner: true, isWritable: false }]),
    ],
  ])('%s is %s', (_label, code, instruction) => {
    const inspection = inspectInstruction(instruction)
    expect(codesOf(inspection)).toEqual([code, 'NOT_COMPARED'])
    expect(inspection.verdict).toBe('refuse')
  })
})

describe('the summary without an expectation', () => {
  test('describes a memo', () => {
    const { verdict, summary } = inspectInstruction(memo('hi "you"'))
    expect(verdict).toBe('caution')
    expect(summary).toMatch(/^Adds the memo "hi \\"you\\""\.\n/)
  })

  test('a sign-in by memo is a danger, and the summary contains its statement', () => {
    const text = 'shop.example wants you to sign in with your Solana account:\nx\n\nI agree to pay.\n\nURI: x'
    const { summary, verdict } = inspectInstruction(memo(text))
    expect(summary).toContain('I agree to pay.')
    expect(verdict).toBe('refuse')
  })

  test('quotes foreign text, so that the text cannot imitate the summary', () => {
    const seeded = SystemProgram.createAccountWithSeed({
      fromPubkey: from,
      newAccountPubkey: other,
      basePubkey: from,
      seed: 'a\n\u202e, lamports 0',
      lamports: 1,
      space: 0,
      programId: other,
    })
    expect(inspectInstruction(seeded).summary).toContain('seed: "a\\n\\u{202e}, lamports 0"\n')
  })
})

describe('invalid options', () => {
  const nonsense = [null, 'x', 5, Number.NaN, Number.POSITIVE_INFINITY, new Date(), Symbol('x')]
  // Invalid on purpose, here and below: untyped callers can pass anything.
  const inspectWith = (change: object) =>
    inspectRequest({ transaction: bytes, wallet, expected: transfer, ...change } as never)
  const invalid = (field: string) => expect.objectContaining({ name: 'InvalidOptionError', field })

  test.each([undefined, null, 'x'])('rejects %s as options', (options) => {
    expect(() => inspectRequest(options as never)).toThrow(
      expect.objectContaining({ name: 'InvalidOptionError' }),
    )
  })

  test.each([null, 'x', 5])('rejects %s as an expectation', (expected) => {
    expect(() => inspectWith({ expected })).toThrow(invalid('expected'))
  })

  test.each([null, 'x', {}])('rejects %s as lookup tables', (lookupTables) => {
    expect(() => inspectWith({ lookupTables })).toThrow(invalid('lookupTables'))
  })

  test.each([
    ['maxFeeLamports', nonsense],
    ['maxRentLamports', nonsense],
    ['references', [null, 'x', {}]],
    ['paymentId', [null, 5n, {}]],
  ])('rejects an invalid %s, naming the field', (field, values) => {
    for (const value of values)
      expect(() => inspectWith({ expected: { ...transfer, [field]: value } })).toThrow(invalid(field))
  })

  test('rejects an invalid lamports value of rent, naming the field', () => {
    for (const lamports of [null, 'x', 1.5, [5], new Date(), Symbol('x'), Object.create(null)])
      expect(() => inspectWith({ expected: { ...transfer, rent: { lamports } } })).toThrow(
        invalid('rent.lamports'),
      )
  })

  test.each([() => null, () => undefined])('rejects an object that serializes to nothing', (serialize) => {
    expect(() => inspectRequest({ transaction: { serialize } as never, wallet })).toThrow(
      expect.objectContaining({ name: 'InvalidTransactionError', field: 'transaction' }),
    )
  })

  test.each([{ state: {} }, {}])('a lookup table without addresses resolves no account: %j', (given) => {
    const table = {
      key: other,
      state: {
        deactivationSlot: 2n ** 64n - 1n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
        addresses: [mint],
      },
    }
    const message = new TransactionMessage({
      payerKey: sponsor.publicKey,
      recentBlockhash: blockhash,
      instructions: [pay()],
    }).compileToV0Message([new AddressLookupTableAccount(table)])
    const lookupTables = [{ key: other, ...given }]
    const options = { transaction: new VersionedTransaction(message), wallet, lookupTables }
    expect(codesOf(inspectRequest(options as never))).toContain('UNRESOLVED_LOOKUP_TABLE')
  })

  test.each([
    ['bytes that are not a transaction', { transaction: 'AAAA' }, 'InvalidTransactionError'],
    ['text that is cut off', { transaction: transfer.transaction.slice(0, -3) }, 'InvalidBase64Error'],
    ['a wallet that is not an address', { wallet: 'x' }, 'InvalidAddressError'],
  ])('throws for %s', (_label, change, name) => {
    expect(() => inspectRequest({ transaction: bytes, wallet, ...change })).toThrow(
      expect.objectContaining({ name }),
    )
  })

  test('throws for an expected amount that is not a bigint', () => {
    expect(() => inspectWith({ expected: { ...transfer, amount: 1.5 } })).toThrow(
      expect.objectContaining({ name: 'InvalidAmountError', field: 'amount' }),
    )
  })
})

const { environment } = base
const origin = 'https://pay.example'
const look = (message: string, change: object = {}) =>
  inspectMessage({ message, wallet: address, environment, origin, now, ...change })

test('a sign-in is described with its site, wallet and statement', () => {
  const { kind, summary, verdict, details } = look(write())
  expect(summary).toContain(`Signs in to "pay.example" as ${address.slice(0, 4)}…${address.slice(-4)}.\n`)
  expect(summary).toContain(`Account: ${address}`)
  expect(summary).toContain('Statement: "Sign in to the payments service."')
  expect([kind, verdict, details.message?.statement]).toStrictEqual([
    'signIn',
    'ok',
    'Sign in to the payments service.',
  ])
})

test('a statement of almost a thousand characters is shown in full', () => {
  const statement = 'I give everything away. '.repeat(41).slice(0, 990)
  expect(look(write({ statement })).summary).toContain(statement)
})

test.each([
  ['another site', { domain: 'evil.example' }, 'message.domain'],
  ['another wallet', { address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' }, 'message.address'],
  ['another network', { 'Chain ID': 'solana:mainnet' }, 'message.Chain ID'],
  ['an expired time', { 'Expiration Time': new Date(now()).toISOString() }, 'message.Expiration Time'],
])('a sign-in for %s is a danger, but is still described', (_, change, field) => {
  const { summary, verdict, findings } = look(write(change))
  expect(verdict).toBe('refuse')
  expect(findings[0]).toMatchObject({ severity: 'danger', code: 'SIGN_IN', field })
  expect(summary).toContain('Statement: "Sign in to the payments service."')
})

test('a sign-in without an origin, or over plain http, gets the verdict caution', () => {
  expect(look(write(), { origin: undefined })).toMatchObject({
    verdict: 'caution',
    findings: [{ code: 'UNCHECKED_SITE' }],
  })
  const overHttp = write({ URI: 'http://pay.example/api' })
  expect(look(overHttp, { origin: 'http://pay.example' })).toMatchObject({
    verdict: 'caution',
    findings: [{ code: 'INSECURE_SITE' }],
  })
})

test('any other text is quoted on one line, and gets the verdict caution', () => {
  const { summary, verdict, findings, details } = look('Hello\n". Sign in at pay.example')
  expect(summary).toContain('Signs the text "Hello↵\\". Sign in at pay.example".')
  expect([verdict, findings[0]?.code, details.message]).toStrictEqual(['caution', 'PLAIN_TEXT', undefined])
  const long = `${'I agree. '.repeat(200)}Bye.`
  expect(look(long).lines).toContainEqual({ key: 'text', value: { type: 'text', text: `"${long}"` } })
})

test.each([
  ['a message that is not text', { message: 7 }, 'message'],
  ['an unknown network', { environment: 'moon' }, 'environment'],
  ['an invalid wallet', { wallet: '0x' }, 'wallet'],
])('refuses to inspect %s', (_, change, field) => {
  expect(() => look(write(), change)).toThrow(expect.objectContaining({ field }))
})
