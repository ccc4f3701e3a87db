import { showValue } from '../../core/errors/showValue.ts'
import { Memo } from '../sdk.ts'
import { hexOf } from '../values.ts'
import { InvalidMemoError } from './parseTransaction.ts'

/** A memo: text of at most 28 bytes, a 64-bit number in decimal digits, or 32 bytes in hex. Exchanges ask for a number or a hash. */
export type StellarMemo = string | { type: 'text' | 'id' | 'hash'; value: string }

const isValid: Partial<Record<string, (value: string) => boolean>> = {
  text: (value) => new TextEncoder().encode(value).length <= 28,
  id: (value) => /^(?:0|[1-9]\d{0,19})$/.test(value) && BigInt(value) < 1n << 64n,
  hash: (value) => /^[0-9a-f]{64}$/.test(value),
}

export function toMemo(memo: StellarMemo | undefined): Memo {
  if (memo === undefined) return Memo.none()
  const { type, value } = typeof memo === 'string' ? { type: 'text', value: memo } : Object(memo)
  // Each key of the table above is also the name of a `Memo` function of the SDK.
  if (typeof value === 'string' && isValid[type]?.(value)) return Memo[type as 'text' | 'id' | 'hash'](value)
  throw new InvalidMemoError(`${showValue(value ?? memo, 80)} is not a valid memo.`, {
    field: 'memo',
    fix: 'Use text of at most 28 bytes, an id of digits below 2^64, or a hash of 64 lower-case hex digits.',
  })
}

/** Returns a memo as comparable text: its type and value. */
export function formatMemo({ type, value }: Memo): string | undefined {
  if (type === 'none') return undefined
  if (typeof value === 'string' || value === null) return `${type}:${value}`
  const text = type === 'text' ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(value) : ''
  // Bytes that are not UTF-8 must not look like text.
  const isText = text !== '' && !text.includes('\ufffd')
  if (isText || value.length === 0) return `${type}:${text}`
  return `${type} bytes:${hexOf(value)}`
}
