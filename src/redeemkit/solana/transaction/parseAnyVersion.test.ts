import {
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayer,
  setTransactionMessageHeapSize,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLoadedAccountsDataSizeLimit,
  setTransactionMessagePriorityFeeLamports,
  blockhash as toBlockhash,
} from '@solana/kit'
import { Keypair } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { formatBase58 } from '../encoding.ts'
import { encodeAnyVersion, parseAnyVersion, readAnyVersion } from './parseAnyVersion.ts'
import { type ParsedTransaction, readTransaction } from './parseTransaction.ts'

const filled = (byte: number, length = 32) => new Uint8Array(length).fill(byte)
const nameOf = (byte: number) => formatBase58(filled(byte))

/**
 * Case `config-15` of `v1-reference.json` in gmsol-labs/gmx-solana, which the crate solana-message 4.4.0 serialized: three
 * signers, two instructions, and all four settings.
 */
const reference = Uint8Array.from([
  ...[0x81, 3, 1, 1, 0x1f, 0, 0, 0],
  ...filled(8),
  ...[2, 6],
  ...[1, 2, 3, 4, 5, 6].flatMap((byte) => [...filled(byte)]),
  ...[0x50, 0xc3, 0, 0, 0, 0, 0, 0, 0x40, 0x0d, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0],
  ...[5, 4, 3, 0, 4, 0, 17, 0],
  ...[0, 1, 2, 3, 1, 2, 3],
  ...filled(0x55, 17),
  ...[10, 11, 12].flatMap((byte) => [...filled(byte, 64)]),
])

/** A transaction that kit, an independent implementation, compiles. */
const compiled = compileTransaction(
  pipe(
    createTransactionMessage({ version: 1 }),
    (message) =>
      setTransactionMessageFeePayer(address(Keypair.fromSeed(filled(1)).publicKey.toBase58()), message),
    (message) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: toBlockhash(nameOf(9)), lastValidBlockHeight: 1n },
        message,
      ),
    (message) => setTransactionMessagePriorityFeeLamports(2n ** 63n, message),
    (message) => setTransactionMessageComputeUnitLimit(300_000, message),
    (message) => setTransactionMessageLoadedAccountsDataSizeLimit(65_536, message),
    (message) => setTransactionMessageHeapSize(65_536, message),
    (message) =>
      appendTransactionMessageInstructions(
        [
          { programAddress: address(nameOf(7)), data: filled(5, 2000) },
          { programAddress: address(nameOf(8)), accounts: [{ address: address(nameOf(6)), role: 1 }] },
        ],
        message,
      ),
  ),
)
const samples = [reference, Uint8Array.from(getTransactionEncoder().encode(compiled))]

/** Decodes the same bytes with kit. */
function readByKit(bytes: Uint8Array) {
  const { messageBytes } = getTransactionDecoder().decode(bytes)
  const read = getCompiledTransactionMessageDecoder().decode(messageBytes)
  if (read.version !== 1) throw new Error('another version')
  const fee = read.configValues.find(({ kind }) => kind === 'u64')?.value ?? 0n
  return {
    version: read.version,
    blockhash: read.lifetimeToken,
    keys: read.staticAccounts,
    signers: read.header.numSignerAccounts,
    priorityFee: fee,
    instructions: read.instructionPayloads.map(({ instructionAccountIndices, instructionData }, index) => ({
      program: read.instructionHeaders[index]?.programAccountIndex,
      accounts: [...instructionAccountIndices],
      data: [...instructionData],
    })),
  }
}

const comparable = ({ version, blockhash, keys, signers, priorityFee, instructions }: ParsedTransaction) => ({
  version,
  blockhash,
  keys,
  signers,
  priorityFee,
  instructions: instructions.map((instruction) => ({ ...instruction, data: [...instruction.data] })),
})

const at = (change: (bytes: Uint8Array) => void) => {
  const bytes = Uint8Array.from(reference)
  change(bytes)
  return bytes
}

describe('parseAnyVersion', () => {
  test('reads the reference transaction as its origin does', () => {
    expect(parseAnyVersion(reference)).toEqual({
      version: 1,
      signers: 3,
      readonlySigners: 1,
      readonlyOthers: 1,
      keys: [1, 2, 3, 4, 5, 6].map(nameOf),
      blockhash: nameOf(8),
      priorityFee: 50_000n,
      instructions: [
        { program: 5, accounts: [0, 1, 2, 3], data: Uint8Array.of(1, 2, 3) },
        { program: 4, accounts: [], data: filled(0x55, 17) },
      ],
      lookups: [],
      message: reference.slice(0, -3 * 64),
      signatures: [10, 11, 12].map((byte) => filled(byte, 64)),
    })
  })

  test('reads like kit', () => {
    for (const bytes of samples) expect(comparable(parseAnyVersion(bytes))).toEqual(readByKit(bytes))
  })

  test('encode(parse(x)) ≡ x', () => {
    for (const bytes of samples) expect(encodeAnyVersion(parseAnyVersion(bytes))).toEqual(bytes)
  })

  test('refuses every truncation and every trailing byte', () => {
    for (let length = 0; length < reference.length; length++)
      expect(() => parseAnyVersion(reference.slice(0, length))).toThrow(InvalidTransactionError)
    for (const extra of [0, 1, 255])
      expect(() => parseAnyVersion(Uint8Array.from([...reference, extra]))).toThrow(/left over/)
  })

  test('never parses a mutated transaction differently from kit', () => {
    const mutation = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }))
    fc.assert(
      fc.property(mutation, ([where, by]) => {
        const changed = at((bytes) => {
          const index = 1 + (where % (bytes.length - 1))
          bytes[index] = (bytes[index] ?? 0) ^ by
        })
        let parsed: ParsedTransaction
        try {
          parsed = parseAnyVersion(changed)
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidTransactionError)
          return
        }
        expect(comparable(parsed)).toEqual(readByKit(changed))
      }),
      { numRuns: inject('generatedInputs') },
    )
  })

  test.each([
    ['half of the priority fee', at((bytes) => bytes.set([0x1e], 4)), /unknown setting/],
    ['an unknown setting', at((bytes) => bytes.set([0x3f], 4)), /unknown setting/],
    ['an unknown setting in the last byte', at((bytes) => bytes.set([0x80], 7)), /unknown setting/],
    ['a heap that is no multiple of 1,024', at((bytes) => bytes.set([1], 250)), /heap size/],
    ['a heap that is too small', at((bytes) => bytes.set([0, 4, 0], 250)), /heap size/],
    ['a heap that is too large', at((bytes) => bytes.set([4], 253)), /heap size/],
    ['13 signers', at((bytes) => bytes.set([13], 1)), /larger than allowed/],
    ['65 instructions', at((bytes) => bytes.set([65], 40)), /larger than allowed/],
    ['65 accounts', at((bytes) => bytes.set([65], 41)), /larger than allowed/],
    ['a read-only payer', at((bytes) => bytes.set([3], 2)), /inconsistent header/],
    ['too many read-only accounts', at((bytes) => bytes.set([4], 3)), /inconsistent header/],
    ['an account twice', at((bytes) => bytes.set(filled(1), 42 + 32)), /twice/],
    ['the payer as a program', at((bytes) => bytes.set([0], 254)), /missing account/],
    ['a missing program', at((bytes) => bytes.set([6], 254)), /missing account/],
    ['a missing account', at((bytes) => bytes.set([6], 262)), /missing account/],
    ['more than 4,096 bytes', Uint8Array.from([129, ...filled(0, 4096)]), /longer than 4096/],
    ['version 2', at((bytes) => bytes.set([130])), /unsupported version/],
    ['version 0 before its signatures', at((bytes) => bytes.set([128])), /unsupported version/],
  ])('rejects %s', (_, bytes, message) => {
    expect(() => parseAnyVersion(bytes)).toThrow(message)
  })

  test('accepts 4,096 bytes', () => {
    const growth = 4096 - reference.length
    const data = at((bytes) =>
      bytes.set(
        [...Uint16Array.of(17 + growth)].flatMap((n) => [n & 255, n >> 8]),
        260,
      ),
    )
    const end = reference.length - 3 * 64
    const longest = Uint8Array.from([...data.slice(0, end), ...filled(0, growth), ...data.slice(end)])
    expect(parseAnyVersion(longest).instructions[1]?.data).toHaveLength(17 + growth)
  })

  test('applies the length limit of the other versions', () => {
    expect(() => parseAnyVersion(new Uint8Array(1233))).toThrow(/longer than 1232/)
  })
})

describe('readAnyVersion', () => {
  test.each([
    ['bytes', samples[1]],
    ['base64', Buffer.from(samples[1] ?? []).toString('base64')],
    ['an object of kit', compiled],
    ['an object that serializes itself', { serialize: () => samples[1] }],
  ])('accepts %s', (_form, given) => {
    expect(readAnyVersion(given as never)).toEqual(parseAnyVersion(samples[1] ?? new Uint8Array()))
  })

  test('sorts the signatures of an object of kit', () => {
    const { message, signatures, keys } = parseAnyVersion(reference)
    const given = [2, 0, 1].map((index) => [keys[index], signatures[index]])
    expect(readAnyVersion({ messageBytes: message, signatures: Object.fromEntries(given) })).toEqual(
      parseAnyVersion(reference),
    )
  })

  test('rejects version 1 for a transfer', () => {
    const { message: messageBytes, signatures, keys } = parseAnyVersion(reference)
    const given = Object.fromEntries(signatures.map((signature, index) => [keys[index], signature]))
    expect(() => readTransaction(reference)).toThrow(/unsupported version/)
    expect(() => readTransaction({ messageBytes, signatures: given })).toThrow(/unsupported version/)
  })
})
