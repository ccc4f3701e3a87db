import { readLittleEndian } from '../encoding.ts'
import {
  encodeTransaction,
  type ParsedTransaction,
  parseTransaction,
  readerOf,
  readTransaction,
  type TransactionLike,
} from './parseTransaction.ts'

/** The version byte of version 1 (SIMD-0385), with which its messages and transactions begin. */
const version1 = 129

/** Maximum length of a version 1 transaction, or of its message, in bytes. */
export const maxVersion1Length = 4_096

/** Works like `readTransaction`, and also reads version 1, which transfers of the service never use. */
export const readAnyVersion = (transaction: TransactionLike): ParsedTransaction =>
  readTransaction(transaction, parseAnyVersion, encodeAnyVersion)

export const parseAnyVersion = (bytes: Uint8Array): ParsedTransaction =>
  bytes[0] === version1 ? parseVersion1(bytes) : parseTransaction(bytes)

export const encodeAnyVersion: typeof encodeTransaction = ({ signatures, message }) =>
  message[0] === version1
    ? Uint8Array.from([...message, ...signatures.flatMap((signature) => [...signature])])
    : encodeTransaction({ signatures, message })

function parseVersion1(bytes: Uint8Array): ParsedTransaction {
  const { fail, take, byte, key, position, end } = readerOf(bytes, 'Pass one whole transaction.')
  const number = (length: number) => readLittleEndian(take(length))
  const times = <item>(length: number, read: () => item): item[] => Array.from({ length }, read)

  if (bytes.length > maxVersion1Length) return fail(`is longer than ${maxVersion1Length} bytes`)
  byte() // the version
  const [signers, readonlySigners, readonlyOthers] = [byte(), byte(), byte()]
  const settings = Number(number(4))
  const blockhash = key()
  const [instructionCount, keyCount] = [byte(), byte()]
  if (signers > 12 || instructionCount > 64 || keyCount > 64) return fail('is larger than allowed')
  // Bits 0 and 1 together mark one setting of 8 bytes.
  if (settings > 31 || settings % 4 === 1 || settings % 4 === 2) return fail('has an unknown setting')
  const keys = times(keyCount, key)
  const priorityFee = settings & 1 ? number(8) : 0n
  if (settings & 4) take(4) // compute units
  if (settings & 8) take(4) // size of the loaded accounts
  const heap = settings & 16 ? number(4) : 32_768n
  if (heap % 1024n !== 0n || heap < 32_768n || heap > 262_144n) return fail('has a wrong heap size')
  const headers = times(instructionCount, () => [byte(), byte(), Number(number(2))] as const)
  const instructions = headers.map(([program, accounts, length]) => ({
    program,
    accounts: [...take(accounts)],
    data: take(length),
  }))
  const message = bytes.slice(0, position())
  return end({
    version: 1,
    signatures: times(signers, () => take(64)),
    message,
    signers,
    readonlySigners,
    readonlyOthers,
    keys,
    blockhash,
    instructions,
    lookups: [],
    priorityFee,
  })
}
