import {
  address,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  blockhash as toBlockhash,
} from '@solana/kit'
import {
  AddressLookupTableAccount,
  Keypair,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { formatBase58 } from '../encoding.ts'
import {
  encodeTransaction,
  type ParsedTransaction,
  parseTransaction,
  readTransaction,
} from './parseTransaction.ts'

const payer = Keypair.fromSeed(new Uint8Array(32).fill(1))
const other = Keypair.fromSeed(new Uint8Array(32).fill(2)).publicKey
const blockhash = formatBase58(new Uint8Array(32).fill(9))
const instructions = [
  SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: other, lamports: 5 }),
  SystemProgram.assign({ accountPubkey: payer.publicKey, programId: other }),
]
const message = new TransactionMessage({
  payerKey: payer.publicKey,
  recentBlockhash: blockhash,
  instructions,
})
const table = new AddressLookupTableAccount({
  key: Keypair.fromSeed(new Uint8Array(32).fill(3)).publicKey,
  state: {
    deactivationSlot: 2n ** 64n - 1n,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses: [other],
  },
})
const v0 = new VersionedTransaction(message.compileToV0Message())
v0.sign([payer])
const withTable = new VersionedTransaction(message.compileToV0Message([table]))
const legacy = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight: 1 }).add(
  ...instructions,
)
legacy.sign(payer)
const samples = [v0.serialize(), withTable.serialize(), legacy.serialize()].map((bytes) =>
  Uint8Array.from(bytes),
)

/** Decodes the same bytes with kit, an independent implementation. */
function readByKit(bytes: Uint8Array) {
  const { messageBytes } = getTransactionDecoder().decode(bytes)
  const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes)
  if (!('instructions' in compiled)) throw new Error('a version that kit reads differently')
  return {
    version: compiled.version,
    blockhash: compiled.lifetimeToken,
    keys: compiled.staticAccounts,
    signers: compiled.header.numSignerAccounts,
    instructions: compiled.instructions.map(({ programAddressIndex, accountIndices = [], data = [] }) => ({
      program: programAddressIndex,
      accounts: [...accountIndices],
      data: [...data],
    })),
  }
}
const comparable = (parsed: ParsedTransaction) => ({
  version: parsed.version,
  blockhash: parsed.blockhash,
  keys: parsed.keys,
  signers: parsed.signers,
  instructions: parsed.instructions.map((instruction) => ({ ...instruction, data: [...instruction.data] })),
})

describe('parseTransaction', () => {
  test('parses web3.js transactions like kit', () => {
    for (const bytes of samples) expect(comparable(parseTransaction(bytes))).toEqual(readByKit(bytes))
  })

  test('encode(parse(x)) ≡ x', () => {
    for (const bytes of samples) expect(encodeTransaction(parseTransaction(bytes))).toEqual(bytes)
  })

  test('reads lookup tables', () => {
    expect(parseTransaction(samples[1] ?? new Uint8Array()).lookups).toEqual([
      { table: table.key.toBase58(), writable: [0], readonly: [] },
    ])
  })

  test('refuses every truncation and every trailing byte', () => {
    for (const bytes of samples) {
      for (let length = 0; length < bytes.length; length++)
        expect(() => parseTransaction(bytes.slice(0, length))).toThrow(InvalidTransactionError)
      for (const extra of [0, 1, 255])
        expect(() => parseTransaction(Uint8Array.from([...bytes, extra]))).toThrow(InvalidTransactionError)
    }
  })

  test('rejects more than 1232 bytes', () => {
    expect(() => parseTransaction(new Uint8Array(1233))).toThrow(/longer than 1232/)
  })

  test('never parses a mutated transaction differently from kit', () => {
    const mutation = fc.tuple(fc.constantFrom(...samples), fc.nat(), fc.integer({ min: 1, max: 255 }))
    fc.assert(
      fc.property(mutation, ([bytes, at, by]) => {
        const changed = Uint8Array.from(bytes)
        const index = at % bytes.length
        changed[index] = (changed[index] ?? 0) ^ by
        let parsed: ParsedTransaction
        try {
          parsed = parseTransaction(changed)
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidTransactionError)
          return
        }
        expect(comparable(parsed)).toEqual(readByKit(changed))
      }),
      { numRuns: inject('generatedInputs') },
    )
  })

  test('refuses a lookup table without indexes, as a node does', () => {
    const bytes = samples[0] ?? new Uint8Array()
    const empty = Uint8Array.from([...bytes.slice(0, -1), 1, ...table.key.toBytes(), 0, 0])
    expect(() => parseTransaction(empty)).toThrow(/empty lookup/)
  })

  const v2 = Uint8Array.from(samples[0] ?? [])
  v2[65] = 130
  const v1 = compileTransaction(
    setTransactionMessageLifetimeUsingBlockhash(
      { blockhash: toBlockhash(blockhash), lastValidBlockHeight: 1n },
      setTransactionMessageFeePayer(
        address(payer.publicKey.toBase58()),
        createTransactionMessage({ version: 1 }),
      ),
    ),
  )
  test.each([
    ['1', Buffer.from(getBase64EncodedWireTransaction(v1), 'base64')],
    ['2', v2],
  ])('rejects version %s', (_version, bytes) => {
    expect(() => parseTransaction(bytes)).toThrow(/unsupported version/)
  })

  test('throws InvalidTransactionError for garbage', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1300 }), (bytes) => {
        expect(() => parseTransaction(bytes)).toThrow(InvalidTransactionError)
      }),
      { numRuns: inject('generatedInputs') },
    )
  })

  test('refuses a non-canonical length encoding', () => {
    const bytes = samples[0] ?? new Uint8Array()
    // The number of accounts, written in two bytes instead of one.
    const length = 1 + 64 + 4
    const alias = [...bytes.slice(0, length), (bytes[length] ?? 0) | 0x80, 0, ...bytes.slice(length + 1)]
    expect(() => parseTransaction(Uint8Array.from(alias))).toThrow(/bad length/)
  })

  test('rejects an account that is listed twice', () => {
    const twice = Uint8Array.from(samples[0] ?? [])
    twice.set(payer.publicKey.toBytes(), 1 + 64 + 5 + 32)
    expect(() => parseTransaction(twice)).toThrow(/twice/)
  })
})

describe('readTransaction', () => {
  test.each([
    ['an object of web3.js', v0],
    ['bytes', v0.serialize()],
    ['base64', Buffer.from(v0.serialize()).toString('base64')],
  ])('accepts %s', (_form, given) => {
    expect(readTransaction(given).message).toEqual(v0.message.serialize())
  })

  test('accepts a legacy object of web3.js', () => {
    expect(readTransaction(legacy).message).toEqual(Uint8Array.from(legacy.serializeMessage()))
  })

  test('accepts an unsigned legacy object of web3.js', () => {
    const unsigned = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight: 1 }).add(
      ...instructions,
    )
    expect(readTransaction(unsigned).signatures).toEqual([new Uint8Array(64)])
  })

  test('rejects an object that cannot be serialized', () => {
    expect(() => readTransaction(new Transaction())).toThrow(InvalidTransactionError)
  })
})
