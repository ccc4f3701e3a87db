import {
  AddressLookupTableAccount,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { inspectRequest } from '../inspect/inspectRequest.ts'
import type { SolanaSigner } from '../signer/solanaSigner.ts'
import { isSameButAssertions } from '../signer/toTransactionSigner.ts'
import { customer, keypair, sponsor, stranger, usdcAccountOf } from '../solana.fixture.ts'
import { isSignedBy } from '../transaction/isSignedBy.ts'
import { type ParsedTransaction, parseTransaction } from '../transaction/parseTransaction.ts'
import {
  afterGuard,
  assertion,
  hashGuard,
  lamportsAssertion,
  phantom,
  recordedPhantom,
  solflare,
  tokenAssertion,
  withAssertions,
} from './assertions.fixture.ts'
import { signUsdcTransfer, sponsorUsdcTransfer } from './signUsdcTransfer.ts'
import { bytes, from, inspectAsTransfer, pay, rebuild, to, transfer } from './usdcTransfer.fixture.ts'

const options = { transaction: transfer.transaction, expected: transfer }
const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'))

/** Creates a customer's Wallet Standard wallet that changes the transaction before signing it. */
const walletThat = (change: (asked: Uint8Array) => VersionedTransaction): SolanaSigner => ({
  account: { address: customer.publicKey.toBase58() },
  features: {
    'solana:signTransaction': {
      signTransaction: async ({ transaction }) => {
        const changed = change(transaction)
        changed.sign([customer])
        return [{ signedTransaction: changed.serialize() }]
      },
    },
  },
})
const guarding = (assertions: Parameters<typeof withAssertions>[0]) =>
  walletThat((transaction) => withAssertions(assertions, { transaction }))

describe.each([
  ['Phantom', phantom],
  ['Phantom, as recorded', recordedPhantom],
  ['Solflare', solflare],
])('the assertions of %s', (_name, assertions) => {
  test('are accepted from the customer, and by the sponsor', async () => {
    const { transaction } = await signUsdcTransfer(guarding(assertions), options)
    const both = await sponsorUsdcTransfer(sponsor, { transaction, expected: transfer })
    const { message, signatures } = VersionedTransaction.deserialize(bytesOf(both.transaction))
    expect(message.serialize()).toEqual(withAssertions(assertions).message.serialize())
    expect(signatures.every((signature) => signature.some((byte) => byte !== 0))).toBe(true)
  })

  test('are listed in an inspection, and are ok', () => {
    const inspection = inspectAsTransfer(withAssertions(assertions).serialize())
    expect(inspection.verdict).toBe('ok')
  })
})

test.each([phantom, recordedPhantom])('have the lengths that were seen on mainnet', ({ before, after }) => {
  expect([...before, ...after].map(({ data }) => data.length)).toEqual([17, 52, 16, 27])
})

test('are described', () => {
  const { summary, verdict } = inspectRequest({
    transaction: withAssertions({ before: [], after: [tokenAssertion(7n)] }).serialize(),
    wallet: from,
  })
  expect(summary).toContain(
    `Call: Fails if an account is not as expected.\nassertions: "amount 7 >=, delegate none =, ownerIsDerived"\ntarget: ${usdcAccountOf(from)}\n`,
  )
  expect(verdict).toBe('caution')
})

test("are refused after the sponsor has signed, because they would invalidate the sponsor's signature", async () => {
  const first = await sponsorUsdcTransfer(sponsor, { ...options, sponsorSigns: 'first' })
  await expect(
    signUsdcTransfer(guarding(solflare), { transaction: first.transaction, expected: transfer }),
  ).rejects.toMatchObject({ name: 'ChangedByWalletError' })
  const whole = await signUsdcTransfer(customer, { transaction: first.transaction, expected: transfer })
  const { signatures } = VersionedTransaction.deserialize(bytesOf(whole.transaction))
  expect(signatures.every((signature) => signature.some((byte) => byte !== 0))).toBe(true)
})

test('only the signature of the prompted wallet is kept', async () => {
  const transaction = withAssertions(phantom)
  transaction.sign([customer])
  transaction.signatures[0] = new Uint8Array(64).fill(7)
  const wallet = { publicKey: from, signTransaction: async () => transaction }
  const { transaction: answer } = await signUsdcTransfer(wallet, options)
  const { signatures, keys, message } = parseTransaction(Uint8Array.from(Buffer.from(answer, 'base64')))
  expect(signatures[0]).toEqual(new Uint8Array(64))
  expect(isSignedBy(keys[1] ?? '', message, signatures[1] ?? new Uint8Array())).toBe(true)
})

test('are refused in a transaction whose terms were not checked', () => {
  const before = parseTransaction(bytes)
  const after = parseTransaction(withAssertions(phantom).serialize())
  expect(isSameButAssertions(before, after)).toBe(true)
  expect(isSameButAssertions(after, before)).toBe(false)
})

const mine = usdcAccountOf(from)
const other = stranger.publicKey
const token = (body: readonly number[]) => assertion(9, body)
const amountOf1 = [2, 1, 0, 0, 0, 0, 0, 0, 0, 0]
const hostile: [what: string, assertions: TransactionInstruction[]][] = [
  ['a fifth assertion', [...phantom.before, afterGuard, lamportsAssertion(from)]],
  [
    'a write to a memory account',
    [assertion(0, [0, 255, 0, 0], [other, SystemProgram.programId, from, other, mine])],
  ],
  ['the closing of a memory account', [assertion(1, [255], [other, from, other])]],
  [
    'a call to another program',
    [assertion(16, [0, 0, 0, 0, ...Array<number>(32).fill(0)], [other, mine, to])],
  ],
  ['an unknown instruction number', [assertion(18, amountOf1)]],
  ['a written account', [assertion(9, amountOf1, [other], { isWritable: true })]],
  ['another signer', [assertion(9, amountOf1, [other], { isSigner: true })]],
  ['an extra account', [assertion(9, amountOf1, [mine, other])]],
  ['no account', [assertion(9, amountOf1, [])]],
  ['an account for the clock', [assertion(15, [0, 0, 0, 0, 0, 0, 0, 0, 0, 3], [mine])]],
  ['an extra byte', [token([...amountOf1, 0])]],
  ['a missing byte', [token(amountOf1.slice(0, -1))]],
  [
    'no data',
    [
      new (
        lamportsAssertion(from)
          .constructor as never as typeof import('@solana/web3.js').TransactionInstruction
      )({ programId: lamportsAssertion(from).programId, keys: [], data: Buffer.alloc(0) }),
    ],
  ],
  ['an unknown assertion', [token([9, ...amountOf1.slice(1)])]],
  ['an unknown comparison', [token([...amountOf1.slice(0, -1), 8])]],
  ['a comparison that keys do not have', [token([0, ...Array<number>(32).fill(1), 2])]],
  ['an invalid presence byte of a key', [token([3, 2, 0])]],
  ['an invalid presence byte of a number', [token([5, 2, 0])]],
  ['an invalid boolean', [assertion(5, [7, 2, 0], [mine])]],
  ['an unknown program constant', [assertion(5, [3, 9, 0], [mine])]],
  ['an offset beyond every account', [assertion(2, [0x80, 0x80, 0x80, 0x80, 0x80, 1, 1, 5, 0], [mine])]],
  ['an empty list', [assertion(10, [0])]],
  ['a list with fewer items than its count says', [assertion(10, [1, 8, 8])]],
  ['a list with more items than its count says', [assertion(10, [3, 8, 8])]],
  ['a non-canonical length encoding', [assertion(10, [0x81, 0, 8])]],
  ['a length beyond any transaction', [assertion(10, [0xff, 0xff, 0xff, 0xff, 0x0f, 8])]],
]

describe.each(hostile)('a wallet that adds an invalid assertion (%s)', (_what, assertions) => {
  test('is refused by the customer', async () => {
    await expect(
      signUsdcTransfer(guarding({ before: [], after: assertions }), options),
    ).rejects.toMatchObject({
      name: 'ChangedByWalletError',
    })
  })

  test('is refused by the sponsor', async () => {
    const transaction = withAssertions({ before: assertions, after: [] })
    transaction.signatures = transaction.signatures.map(() => new Uint8Array(64))
    const at = transaction.message.staticAccountKeys.findIndex((key) => key.equals(from))
    transaction.sign(
      assertions.some(({ keys }) => keys.some(({ isSigner }) => isSigner))
        ? [customer, stranger]
        : [customer],
    )
    expect(transaction.signatures[at]?.some((byte) => byte !== 0)).toBe(true)
    await expect(
      sponsorUsdcTransfer(sponsor, { transaction: transaction.serialize(), expected: transfer }),
    ).rejects.toMatchObject({ findings: expect.anything() })
  })
})

// Log levels 3 and 6 log through another program (Noop), which the instruction would have to name. 7 is not a log level.
test.each([3, 6, 7])('an assertion with log level %i is not recognized', (level) => {
  const bad = tokenAssertion(1n)
  bad.data[1] = level
  expect(inspectAsTransfer(withAssertions({ before: [], after: [bad] }).serialize()).verdict).toBe('refuse')
})

/** Yields an honest transaction, with or without assertions, with each possible change. */
function* changesOf(honest: ParsedTransaction): Generator<[label: string, ParsedTransaction]> {
  const copy = () => structuredClone(honest)
  const strange = stranger.publicKey.toBase58()
  const change = (label: string, make: (parsed: ParsedTransaction) => void): [string, ParsedTransaction] => {
    const parsed = copy()
    make(parsed)
    return [label, parsed]
  }
  const isAssertionAt = (i: number) =>
    honest.keys[honest.instructions[i]?.program ?? -1]?.startsWith('L2TEx') === true
  for (const [i, instruction] of honest.instructions.entries()) {
    // An assertion may read any account, may be missing, and may be at any position.
    if (isAssertionAt(i)) continue
    yield change(`${i} left out`, ({ instructions }) => void instructions.splice(i, 1))
    yield change(`${i} twice`, ({ instructions }) => void instructions.push(instruction))
    yield change(`${i} without data`, ({ instructions }) =>
      Object.assign(instructions[i] ?? {}, { data: new Uint8Array() }),
    )
    yield change(`${i} with more data`, ({ instructions }) =>
      Object.assign(instructions[i] ?? {}, { data: Uint8Array.from([...instruction.data, 0]) }),
    )
    for (const j of instruction.data.keys())
      yield change(`${i} data ${j}`, ({ instructions }) => {
        const data = instructions[i]?.data
        if (data) data[j] = (data[j] ?? 0) ^ 1
      })
    for (const j of instruction.accounts.keys())
      for (const account of honest.keys.keys())
        if (account !== instruction.accounts[j])
          yield change(`${i} account ${j} -> ${account}`, ({ instructions }) => {
            instructions[i]?.accounts.splice(j, 1, account)
          })
    for (const program of honest.keys.keys())
      if (program > 0 && program !== instruction.program)
        yield change(`${i} program -> ${program}`, ({ instructions }) =>
          Object.assign(instructions[i] ?? {}, { program }),
        )
  }
  for (const i of honest.keys.keys())
    yield change(`key ${i} replaced`, ({ keys }) => void keys.splice(i, 1, strange))
  for (const [a, b] of honest.keys.flatMap((_, i) => honest.keys.slice(0, i).map((__, j) => [i, j] as const)))
    yield change(`keys ${a} and ${b} swapped`, ({ keys }) => {
      const [first = '', second = ''] = [keys[a], keys[b]]
      keys[a] = second
      keys[b] = first
    })
  yield change('an extra key', (parsed) => {
    parsed.keys.push(strange)
    parsed.readonlyOthers++
  })
  yield change('an extra writable account', (parsed) => void parsed.readonlyOthers--)
  yield change('a writable account made read-only', (parsed) => void parsed.readonlyOthers++)
  yield change('the customer made writable', (parsed) => void parsed.readonlySigners--)
  yield change('another blockhash', (parsed) => Object.assign(parsed, { blockhash: strange }))
}

describe.each([
  ['without assertions', withAssertions({ before: [], after: [] })],
  ['with assertions', withAssertions(phantom)],
  [
    'with an assertion of its receiver',
    withAssertions({ before: [hashGuard(usdcAccountOf(to))], after: [] }),
  ],
])('hostile transactions %s', (_label, honest) => {
  const parsed = parseTransaction(honest.serialize())
  const changes = [...changesOf(parsed)]
  const before = parseTransaction(bytes)

  test('include many changes, but not the honest transaction', () => {
    expect(changes.length).toBeGreaterThan(250)
    expect(inspectAsTransfer(rebuild(parsed)).verdict).toBe('ok')
    expect(isSameButAssertions(before, parsed)).toBe(true)
  })

  test('are all refused by the first signer', () => {
    const passed = changes.filter(([, changed]) => {
      try {
        return inspectAsTransfer(rebuild(changed)).verdict === 'ok'
      } catch {
        return false
      }
    })
    expect(passed.map(([label]) => label)).toEqual([])
  })

  test('never match the built transaction, even when assertions are ignored', () => {
    const passed = changes.filter(([, changed]) => {
      try {
        return isSameButAssertions(before, parseTransaction(rebuild(changed)))
      } catch {
        return false
      }
    })
    expect(passed.map(([label]) => label)).toEqual([])
  })
})

describe("a wallet's answer is not the built transaction if", () => {
  const same = (transaction: VersionedTransaction) =>
    isSameButAssertions(parseTransaction(bytes), parseTransaction(transaction.serialize()))
  const compiled = (change: (message: TransactionMessage) => void, tables?: AddressLookupTableAccount[]) => {
    const message = TransactionMessage.decompile(withAssertions(phantom).message)
    change(message)
    return new VersionedTransaction(message.compileToV0Message(tables))
  }

  test('it has another version', () => {
    expect(same(withAssertions(phantom, { legacy: true }))).toBe(false)
  })

  test('a lookup table is used', () => {
    const table = new AddressLookupTableAccount({
      key: keypair(9).publicKey,
      state: {
        addresses: [usdcAccountOf(to), to],
        authority: undefined,
        deactivationSlot: 1n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
      } as never,
    })
    expect(same(compiled(() => undefined, [table]))).toBe(false)
  })

  test.each([
    ['it has another fee payer', (message: TransactionMessage) => Object.assign(message, { payerKey: from })],
    [
      'it has another blockhash',
      (message: TransactionMessage) => Object.assign(message, { recentBlockhash: other.toBase58() }),
    ],
    [
      'it has another unit price',
      (message: TransactionMessage) => void message.instructions[1]?.data.fill(9, 1),
    ],
    ['the order differs', (message: TransactionMessage) => void message.instructions.reverse()],
    [
      'an assertion names an account that it does not read',
      (message: TransactionMessage) =>
        void message.instructions[2]?.keys.push({ pubkey: other, isSigner: false, isWritable: false }),
    ],
    [
      'the customer is writable',
      (message: TransactionMessage) =>
        void message.instructions
          .at(-1)
          ?.keys.splice(0, 1, { pubkey: from, isSigner: true, isWritable: true }),
    ],
    [
      'the mint is writable',
      (message: TransactionMessage) =>
        void message.instructions.at(-1)?.keys.splice(0, 1, {
          pubkey: new PublicKey(pay().keys[1]?.pubkey ?? from),
          isSigner: false,
          isWritable: true,
        }),
    ],
    ['it contains a second payment', (message: TransactionMessage) => void message.instructions.push(pay())],
    [
      'it contains a new memo',
      (message: TransactionMessage) =>
        void message.instructions.push(
          Object.assign(tokenAssertion(1n), {
            programId: new PublicKey('Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH'),
            keys: [],
          }),
        ),
    ],
  ])('%s', (_label, change) => {
    expect(same(compiled(change))).toBe(false)
  })
})

describe('a transaction differs from the built one if', () => {
  const parse = (transaction: VersionedTransaction) => parseTransaction(transaction.serialize())
  const before = parseTransaction(bytes)

  test.each([
    ['an assertion has a writable account', [assertion(9, amountOf1, [other], { isWritable: true })]],
    ['an assertion has an account that signs', [assertion(9, amountOf1, [other], { isSigner: true })]],
    ['there are five assertions', [...phantom.before, afterGuard, lamportsAssertion(from)]],
  ])('%s', (_label, after) => {
    expect(isSameButAssertions(before, parse(withAssertions({ before: [], after })))).toBe(false)
  })

  test('an assertion uses a lookup table', () => {
    const message = TransactionMessage.decompile(
      withAssertions({ before: [], after: [lamportsAssertion(other)] }).message,
    )
    const state = {
      addresses: [other],
      deactivationSlot: 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
    }
    const table = new AddressLookupTableAccount({ key: keypair(9).publicKey, state })
    const after = parse(new VersionedTransaction(message.compileToV0Message([table])))
    expect(after.lookups).toHaveLength(1)
    expect(isSameButAssertions(before, after)).toBe(false)
  })

  test('the fee payer and the customer are swapped', () => {
    const compiled = (payerKey: PublicKey) => {
      const message = TransactionMessage.decompile(VersionedTransaction.deserialize(bytes).message)
      for (const { keys } of message.instructions)
        for (const key of keys) key.isWritable ||= key.pubkey.equals(from)
      return parse(new VersionedTransaction(Object.assign(message, { payerKey }).compileToV0Message()))
    }
    expect(isSameButAssertions(compiled(sponsor.publicKey), compiled(sponsor.publicKey))).toBe(true)
    expect(isSameButAssertions(compiled(sponsor.publicKey), compiled(from))).toBe(false)
  })

  test('there are too many assertions, counting the existing ones', async () => {
    const transaction = withAssertions({ before: [tokenAssertion(1n)], after: [] }).serialize()
    await expect(
      signUsdcTransfer(guarding({ before: [], after: phantom.before }), { transaction, expected: transfer }),
    ).resolves.toBeDefined()
    const five = guarding({ before: phantom.before, after: phantom.after })
    await expect(signUsdcTransfer(five, { transaction, expected: transfer })).rejects.toMatchObject({
      name: 'ChangedByWalletError',
    })
  })
})
