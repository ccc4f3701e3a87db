import { InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { formatBase58 } from '../encoding.ts'

/** The largest transaction that a node takes, in bytes. */
export const maxTransactionLength = 1232

/** A transaction as it lies on the wire, nothing interpreted yet. */
export type ParsedTransaction = {
  version: 'legacy' | 0
  /** One per signer, in the order of `keys`; 64 zero bytes where a signature is still missing. */
  signatures: Uint8Array[]
  /** The bytes that are signed. */
  message: Uint8Array
  /** How many of `keys` sign; the first pays the fee. */
  signers: number
  readonlySigners: number
  readonlyOthers: number
  /** Addresses in the message itself; those of lookup tables come after them. */
  keys: string[]
  blockhash: string
  instructions: { program: number; accounts: number[]; data: Uint8Array }[]
  lookups: { table: string; writable: number[]; readonly: number[] }[]
}

/**
 * Takes a transaction apart, strictly: whatever a node would refuse to decode is refused here too, so that
 * nothing can read differently there.
 *
 * @param bytes a whole transaction, signed or not: signatures, then a legacy or version 0 message
 * @throws {@link InvalidTransactionError} when a byte is missing, left over, or points to nowhere
 */
export function parseTransaction(bytes: Uint8Array): ParsedTransaction {
  let at = 0
  const fail = (what: string): never => {
    throw new InvalidTransactionError(`The transaction ${what} (byte ${at} of ${bytes.length}).`, {
      field: 'transaction',
      fix: 'Give one whole legacy or version 0 transaction, signatures first.',
    })
  }
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) return fail('is cut off')
    at += length
    return bytes.slice(at - length, at)
  }
  const byte = () => take(1)[0] ?? 0
  const length = (): number => {
    const first = byte()
    if (first < 128) return first
    const second = byte()
    // A third byte would mean more than fits into a transaction; a zero one is an alias of a shorter form.
    if (second === 0 || second > 127) return fail('has a bad length')
    return (first & 127) | (second << 7)
  }
  const list = <item>(read: () => item): item[] => Array.from({ length: length() }, read)
  const key = () => formatBase58(take(32))

  if (bytes.length > maxTransactionLength) return fail(`is longer than ${maxTransactionLength} bytes`)
  // Later versions begin with their number, where a count of signatures as high would not fit.
  if ((bytes[0] ?? 0) > 127) return fail('has an unknown version')
  const signatures = list(() => take(64))
  const start = at
  let signers = byte()
  const version = signers < 128 ? 'legacy' : 0
  if (version === 0) {
    if (signers !== 128) return fail('has an unknown version')
    signers = byte()
  }
  const readonlySigners = byte()
  const readonlyOthers = byte()
  const keys = list(key)
  const blockhash = key()
  const instructions = list(() => ({
    program: byte(),
    accounts: list(byte),
    data: take(length()),
  }))
  const lookups =
    version === 0 ? list(() => ({ table: key(), writable: list(byte), readonly: list(byte) })) : []
  if (at !== bytes.length) return fail('has bytes left over')

  const loaded = lookups.reduce((sum, lookup) => sum + lookup.writable.length + lookup.readonly.length, 0)
  if (signatures.length !== signers || readonlySigners >= signers || signers + readonlyOthers > keys.length)
    return fail('has a header that does not fit')
  if (lookups.some(({ writable, readonly }) => writable.length + readonly.length === 0))
    return fail('has an empty lookup')
  if (new Set(keys).size !== keys.length) return fail('names an account twice')
  for (const { program, accounts } of instructions)
    if (
      program === 0 ||
      program >= keys.length ||
      accounts.some((account) => account >= keys.length + loaded)
    )
      return fail('points to an account that is not there')
  return {
    version,
    signatures,
    message: bytes.slice(start),
    signers,
    readonlySigners,
    readonlyOthers,
    keys,
    blockhash,
    instructions,
    lookups,
  }
}
