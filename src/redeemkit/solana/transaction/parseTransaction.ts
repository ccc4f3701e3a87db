import { parseBase64 } from '../../core/base64.ts'
import { type InvalidBase64Error, InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { formatBase58, parseBase58 } from '../encoding.ts'

/** The largest transaction that a node accepts, in bytes. */
export const maxTransactionLength = 1232

/** A parsed transaction, before its instructions are decoded. */
export type ParsedTransaction = {
  version: 'legacy' | 0 | 1
  /** One per signer, in the order of `keys`; 64 zero bytes for a missing signature. */
  signatures: Uint8Array[]
  /** The bytes that are signed. */
  message: Uint8Array
  /** The number of signing `keys`; the first pays the fee. */
  signers: number
  readonlySigners: number
  readonlyOthers: number
  /** Addresses in the message itself. Addresses from lookup tables follow them. */
  keys: string[]
  blockhash: string
  instructions: { program: number; accounts: number[]; data: Uint8Array }[]
  lookups: { table: string; writable: number[]; readonly: number[] }[]
  /** The priority fee of a version 1 transaction in lamports. Other versions have instructions for it. */
  priorityFee?: bigint
}

/** Parses a whole transaction, signed or not, as strictly as a node, so that both read the same content. */
export function parseTransaction(bytes: Uint8Array): ParsedTransaction {
  const { fail, take, byte, key, position, end } = readerOf(
    bytes,
    'Pass one whole legacy or version 0 transaction.',
  )
  const length = (): number => {
    const first = byte()
    if (first < 128) return first
    const second = byte()
    // A third byte would exceed the size of a transaction. A zero second byte is a non-canonical encoding of a shorter form.
    if (second === 0 || second > 127) return fail('has a bad length')
    return (first & 127) | (second << 7)
  }
  const list = <item>(read: () => item): item[] => Array.from({ length: length() }, read)

  if (bytes.length > maxTransactionLength) return fail(`is longer than ${maxTransactionLength} bytes`)
  // Later versions begin with their number. As a signature count, a first byte above 127 would not fit in a transaction.
  if ((bytes[0] ?? 0) > 127) return fail('has an unsupported version')
  const signatures = list(() => take(64))
  const start = position()
  let signers = byte()
  const version = signers < 128 ? 'legacy' : 0
  if (version === 0) {
    if (signers !== 128) return fail('has an unsupported version')
    signers = byte()
  }
  const readonlySigners = byte()
  const readonlyOthers = byte()
  const keys = list(key)
  const blockhash = key()
  const instructions = list(() => ({ program: byte(), accounts: list(byte), data: take(length()) }))
  const lookups =
    version === 0 ? list(() => ({ table: key(), writable: list(byte), readonly: list(byte) })) : []
  return end({
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
  })
}

export function readerOf(bytes: Uint8Array, fix: string) {
  let at = 0
  const fail = (what: string): never => {
    throw new InvalidTransactionError(`The transaction ${what} (byte ${at} of ${bytes.length}).`, {
      field: 'transaction',
      fix,
    })
  }
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) return fail('is cut off')
    at += length
    return bytes.slice(at - length, at)
  }
  /** Runs the checks that apply to every version, after the last byte. */
  const end = (parsed: ParsedTransaction): ParsedTransaction => {
    const { signatures, signers, readonlySigners, readonlyOthers, keys, instructions, lookups } = parsed
    if (at !== bytes.length) return fail('has bytes left over')
    const loaded = lookups.map(({ writable, readonly }) => writable.length + readonly.length)
    const accountCount = loaded.reduce((sum, one) => sum + one, keys.length)
    if (signatures.length !== signers || readonlySigners >= signers || signers + readonlyOthers > keys.length)
      return fail('has an inconsistent header')
    if (loaded.includes(0)) return fail('has an empty lookup')
    if (new Set(keys).size !== keys.length) return fail('names an account twice')
    for (const { program, accounts } of instructions)
      if (program === 0 || program >= keys.length || accounts.some((account) => account >= accountCount))
        return fail('points to a missing account')
    return parsed
  }
  return {
    fail,
    take,
    byte: () => take(1)[0] ?? 0,
    key: () => formatBase58(take(32)),
    position: () => at,
    end,
  }
}

/** Whether an account in the message itself is writable. */
export function isWritable(
  { keys, signers, readonlySigners, readonlyOthers }: ParsedTransaction,
  index: number,
): boolean {
  return index < signers ? index < signers - readonlySigners : index < keys.length - readonlyOthers
}

/** A compiled transaction of `@solana/kit`, whose bytes are read-only. */
export type KitTransaction = {
  messageBytes: ArrayLike<number>
  signatures: Readonly<Record<string, ArrayLike<number> | null>>
}

/**
 * A transaction as wire bytes, their base64 text, or an object of `@solana/web3.js` 1.x (`Transaction`, `VersionedTransaction`) or of
 * `@solana/kit` (a compiled `Transaction`).
 */
export type TransactionLike =
  | Uint8Array
  | string
  | KitTransaction
  | { serialize(config?: { requireAllSignatures: boolean; verifySignatures: boolean }): Uint8Array }

/** Parses a transaction in any supported form. Signatures may be missing. `encode` is the inverse of `parse`. */
export function readTransaction(
  transaction: TransactionLike,
  parse = parseTransaction,
  encode = encodeTransaction,
): ParsedTransaction {
  if (typeof transaction === 'string') return parse(parseBase64(transaction, 'transaction'))
  // Unlike `instanceof`, this also accepts bytes from another window.
  if (ArrayBuffer.isView(transaction)) return parse(Uint8Array.from(transaction))
  let bytes: Uint8Array
  try {
    if ('messageBytes' in transaction) return readKitTransaction(transaction, parse, encode)
    bytes = Uint8Array.from(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }))
  } catch (cause) {
    if (cause instanceof InvalidTransactionError) throw cause
    throw new InvalidTransactionError('The transaction cannot be serialized.', {
      field: 'transaction',
      cause,
      fix: 'Pass bytes, base64 text, a compiled transaction of kit, or a web3.js transaction with fee payer and blockhash.',
    })
  }
  return parse(bytes)
}

/** Sorts the signatures into the message's order of signers. */
function readKitTransaction(
  { messageBytes, signatures }: KitTransaction,
  parse: typeof parseTransaction,
  encode: typeof encodeTransaction,
): ParsedTransaction {
  const message = Uint8Array.from(messageBytes)
  const missing = new Uint8Array(64)
  const unsigned = Object.keys(signatures).map(() => missing)
  const { keys, signers } = parse(encode({ signatures: unsigned, message }))
  const names = keys.slice(0, signers)
  return parse(
    encode({ signatures: names.map((key) => Uint8Array.from(signatures[key] ?? missing)), message }),
  )
}

export declare namespace readTransaction {
  type ErrorType = InvalidTransactionError | InvalidBase64Error
}

/** Returns the maximum fee in lamports: 5000 per signature, plus the price of the compute unit limit, rounded up. */
export function feeOf(options: {
  signatures: number
  units: number | bigint
  /** Micro-lamports per compute unit. */
  microLamports: bigint
}): bigint {
  const { signatures, units, microLamports } = options
  return BigInt(signatures) * 5000n + (BigInt(units) * microLamports + 999_999n) / 1_000_000n
}

export function encodeTransaction(options: {
  /** 64 bytes each; 64 zeros for a missing signature. */
  signatures: readonly Uint8Array[]
  message: Uint8Array
}): Uint8Array {
  const { signatures, message } = options
  return Uint8Array.from([
    ...encodeLength(signatures.length),
    ...signatures.flatMap((signature) => [...signature]),
    ...message,
  ])
}

export type Instruction = {
  program: string
  /** `s`: signer; `w`: writable; `sw`: both; empty: neither. */
  accounts: readonly (readonly [address: string, role: '' | 's' | 'w' | 'sw'])[]
  data: Uint8Array
}

/**
 * Compiles a message without lookup tables (version 0 unless `legacy`). Orders the keys: payer, other signers, other
 * accounts; in each group, writable accounts first.
 */
export function encodeMessage(options: {
  payer: string
  blockhash: string
  instructions: readonly Instruction[]
  /** The older layout, which every hardware wallet can read. */
  legacy?: boolean | undefined
}): Uint8Array {
  const { payer, blockhash, instructions, legacy } = options
  const roles = new Map<string, string>([[payer, 'sw']])
  for (const { program, accounts } of instructions)
    for (const [address, role] of [[program, ''] as const, ...accounts])
      roles.set(address, role + (roles.get(address) ?? ''))
  // Returns the keys in the order of first use. The payer is the first writable signer.
  const group = (signs: boolean, isWritten: boolean) =>
    [...roles.keys()].filter((key) => {
      const role = roles.get(key) ?? ''
      return role.includes('s') === signs && role.includes('w') === isWritten
    })
  const [signers, readSigners, readOthers] = [group(true, true), group(true, false), group(false, false)]
  const keys = [...signers, ...readSigners, ...group(false, true), ...readOthers]
  const bytes = (key: string) => [...parseBase58(key, { field: 'address', length: 32 })]
  const list = <item>(items: readonly item[], write: (item: item) => readonly number[]) => [
    ...encodeLength(items.length),
    ...items.flatMap(write),
  ]
  return Uint8Array.from([
    ...(legacy ? [] : [128]),
    signers.length + readSigners.length,
    readSigners.length,
    readOthers.length,
    ...list(keys, bytes),
    ...bytes(blockhash),
    ...list(instructions, ({ program, accounts, data }) => [
      keys.indexOf(program),
      ...list(accounts, ([address]) => [keys.indexOf(address)]),
      ...list([...data], (byte) => [byte]),
    ]),
    ...(legacy ? [] : [0]),
  ])
}

/** Encodes a length in Solana's "compact" form: seven bits per byte, the lowest first. */
export function encodeLength(length: number): number[] {
  return length < 128 ? [length] : [(length & 127) | 128, length >> 7]
}
