import { formatBase58 } from '../../../../redeemkit/solana/encoding.ts'

/** How a value is written. An `option` has one byte before it in an assertion, four in a token program's account. */
export type Kind =
  | 'bool'
  | `${'u' | 'i'}${8 | 16 | 32 | 64 | 128}`
  | 'key'
  | 'option key'
  | 'option u64'
  | 'known program'

export type Value = bigint | boolean | string | null

/** Thrown where bytes end before a value does. */
export class OutOfBoundsError extends Error {
  override readonly name = 'OutOfBoundsError'
}

/** Reads values one after another, from a place on. */
export function assertionReader(bytes: Uint8Array, options: { from?: number; optionBytes: 1 | 4 }) {
  let at = options.from ?? 0
  function take(length: number): Uint8Array {
    if (at + length > bytes.length)
      throw new OutOfBoundsError(`bytes ${at} to ${at + length} of ${bytes.length}`)
    at += length
    return bytes.slice(at - length, at)
  }
  const number = (length: number) =>
    take(length).reduceRight((sum: bigint, byte) => (sum << 8n) | BigInt(byte), 0n)
  const byte = () => Number(number(1))
  const key = () => formatBase58(take(32))
  /** Of an option, the room of its value is there in an account only. */
  function option(read: () => Value, length: number): Value {
    if (number(options.optionBytes) === 1n) return read()
    if (options.optionBytes === 4) take(length)
    return null
  }
  return {
    take,
    byte,
    /** LEB128: seven bits a byte, the lowest first. */
    compact: (): number => {
      let value = 0n
      for (let shift = 0n; ; shift += 7n) {
        const next = byte()
        value |= BigInt(next & 127) << shift
        if (next < 128 || shift > 56n) return Number(value)
      }
    },
    value: (kind: Kind): Value => {
      if (kind === 'bool') return byte() !== 0
      if (kind === 'key') return key()
      if (kind === 'option key') return option(key, 32)
      if (kind === 'option u64') return option(() => number(8), 8)
      if (kind === 'known program') return knownPrograms[byte()] ?? ''
      const bits = Number(kind.slice(1))
      const unsigned = number(bits / 8)
      return kind.startsWith('i') ? BigInt.asIntN(bits, unsigned) : unsigned
    },
  }
}

const knownPrograms = [
  '11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'SysvarRent111111111111111111111111111111111',
  'Stake11111111111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'Config1111111111111111111111111111111111111',
] as const
