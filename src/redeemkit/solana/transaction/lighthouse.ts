import { maxTransactionLength } from './parseTransaction.ts'

/** Reads data sequentially; throws on malformed data. */
export type AssertionReader = {
  /** A little-endian number of this many bytes. */
  number(length: number): bigint
  /** Base58. */
  key(): string
  /** A key after a presence byte. */
  optionalKey(): string | null
}

const sizes: Readonly<Record<string, number>> = { 1: 1, 2: 2, 4: 4, 8: 8, g: 16 }
const signedSizes: Readonly<Record<string, number>> = { p: 1, q: 2, r: 4, t: 8, u: 16 }
/** The comparison operators, in the order of their numbers. */
const comparisons = ['=', '!=', '>', '<', '>=', '<=', 'contains', 'lacks'] as const
/** The number of values that each one-byte part can have. */
const choices: Readonly<Record<string, number>> = { b: 2, n: 9, s: 4, i: comparisons.length, e: 2 }

/**
 * Reads the data of a Lighthouse assertion after the instruction number: the log level, then one assertion or a list of assertions of the
 * same form. Returns text such as `amount 1500000 >=, delegate none =`. Throws a RangeError for data that the program rejects, and for a
 * number that is not in its shortest form.
 */
export function readAssertion(reader: AssertionReader, type: AssertionType): string {
  const [form, how] = type.split(' ') as [keyof typeof assertionForms, 'each' | undefined]
  // Two of the log levels call another program, so they are rejected.
  if ([3, 6].includes(limited(reader, 7))) throw new RangeError('a call')
  const count = how === 'each' ? lengthOf(reader) : 1
  if (count < 1) throw new RangeError('no assertion')
  return Array.from({ length: count }, () =>
    [...(form === 'data' ? [`at ${variable(reader)}`] : []), ...readOne(reader, assertionForms[form])].join(
      ' ',
    ),
  ).join(', ')
}

/** The form of an assertion, followed by `each` for a list. */
export type AssertionType = `${keyof typeof assertionForms}${'' | ' each'}`

function readOne(reader: AssertionReader, forms: string): string[] {
  const rows = forms.split(' ')
  const [name = '', parts = ''] = (rows[limited(reader, rows.length)] ?? '').split(':')
  return [name, ...[...parts].flatMap((part) => readPart(reader, part))]
}

function readPart(reader: AssertionReader, part: string): string[] {
  const nested = nestedForms[part]
  if (nested !== undefined) return readOne(reader, nested)
  if (part === 'k') return [reader.key()]
  if (part === 'O') return [reader.optionalKey() ?? 'none']
  if (part === 'o') return [limited(reader, 2) === 1 ? `${reader.number(8)}` : 'none']
  if (part === 'v') return [`${variable(reader)}`]
  if (part === 'y')
    return [
      Array.from({ length: lengthOf(reader) }, () => reader.number(1).toString(16).padStart(2, '0')).join(''),
    ]
  const size = sizes[part]
  if (size !== undefined) return [`${reader.number(size)}`]
  const signed = signedSizes[part]
  if (signed !== undefined) return [`${BigInt.asIntN(8 * signed, reader.number(signed))}`]
  const value = limited(reader, choices[part] ?? 0)
  return [part === 'i' || part === 'e' ? (comparisons[value] ?? '') : `${value}`]
}

function limited(reader: AssertionReader, bound: number): number {
  const value = Number(reader.number(1))
  if (value >= bound) throw new RangeError('out of range')
  return value
}

/** Reads an item count. Each item has at least one byte, so the length of a transaction bounds the count. */
function lengthOf(reader: AssertionReader): number {
  const count = Number(variable(reader))
  if (count > maxTransactionLength) throw new RangeError('too many')
  return count
}

/** Reads an unsigned LEB128 number: seven bits per byte, the lowest first. */
function variable(reader: AssertionReader): bigint {
  let value = 0n
  for (let shift = 0n; shift < 32n; shift += 7n) {
    const byte = reader.number(1)
    value |= (byte & 127n) << shift
    if (byte < 128n) {
      if (byte === 0n && shift > 0n) break
      return value
    }
  }
  throw new RangeError('no number')
}

/**
 * The assertions of the Lighthouse program by kind of account. Each has a name and its parts in order; its position is
 * its number. Source: the program's IDL in npm's lighthouse-sdk 2.1.0.
 *
 * A part is a character: `1` `2` `4` `8` `g` an unsigned number of 1, 2, 4, 8, 16 bytes; `p` `q` `r` `t` `u` a signed number of these
 * sizes; `k` 32 bytes; `b` 0 or 1; `n` one of 9 constants, `s` one of 4; `O` an optional key, `o` an optional number of 8 bytes; `v` a
 * number of variable length; `y` a length and that many bytes; `i` one of the 8 comparisons, `e` one of the first 2; a letter of {@link
 * nestedForms} a nested assertion.
 */
const assertionForms = {
  data: 'bool:be u8:1i i8:pi u16:2i i16:qi u32:4i i32:ri u64:8i i64:ti u128:gi i128:ui bytes:ye key:ke',
  delta: 'info:vI data:vvD',
  info: 'lamports:8i length:8i owner:ke program:ne rentEpoch:8i signs:be isWritable:be executable:be hash:kvv',
  mint: 'mintAuthority:Oe supply:8i decimals:1i isInitialized:be freezeAuthority:Oe',
  token:
    'mint:ke owner:ke amount:8i delegate:Oe state:1i isNative:oe delegatedAmount:8i closeAuthority:Oe ownerIsDerived:',
  stake: 'state:se meta:M stake:S flags:1i',
  loader: 'state:se buffer:B program:P programData:U',
  clock: 'slot:8i epochStart:ti epoch:8i leaderScheduleEpoch:8i time:ti',
  leaf: 'leaf:4k',
  treeConfig: 'creator:ke delegate:ke capacity:8i minted:8i isPublic:be isDecompressible:1e',
} as const

/** Assertions inside others. */
const nestedForms: Readonly<Record<string, string>> = {
  I: 'lamports:ui length:ui owner:e rentEpoch:ui',
  D: 'u8:qi i8:qi u16:ri i16:ri u32:ti i32:ti u64:ui i64:ui bytes:2e',
  M: 'rentExemptReserve:8i staker:ke withdrawer:ke lockupTime:ti lockupEpoch:8i custodian:ke',
  S: 'voter:ke stake:8i activationEpoch:8i deactivationEpoch:8i creditsObserved:8i',
  B: 'authority:Oe',
  P: 'programData:ke',
  U: 'upgradeAuthority:Oe slot:8i',
}
