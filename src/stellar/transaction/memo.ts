import { Memo } from '@stellar/stellar-sdk'
import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'

/** A memo: text of at most 28 bytes, a number of 64 bits in decimal digits, or 32 bytes in hex. Exchanges ask for the latter two. */
export type StellarMemo = string | { type: 'text' | 'id' | 'hash'; value: string }

const idMax = (1n << 64n) - 1n

/**
 * Makes the SDK's memo.
 *
 * @throws {@link InvalidMemoError}
 */
export function createMemo(memo: StellarMemo): Memo {
  const { type, value } = typeof memo === 'string' ? { type: 'text', value: memo } : Object(memo)
  if (type === 'text' && typeof value === 'string' && new TextEncoder().encode(value).length <= 28)
    return Memo.text(value)
  if (
    type === 'id' &&
    typeof value === 'string' &&
    /^(?:0|[1-9]\d{0,19})$/.test(value) &&
    BigInt(value) <= idMax
  )
    return Memo.id(value)
  if (type === 'hash' && typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) return Memo.hash(value)
  throw new InvalidMemoError(`The memo ${showValue(value ?? memo, 80)} is none.`, {
    field: 'memo',
    fix: 'Use text of at most 28 bytes, an id of decimal digits below 2^64, or a hash of 64 small hex digits.',
  })
}

/** A memo in words that can be compared: type and value; undefined for none. */
export function describeMemo({ type, value }: Memo): string | undefined {
  if (type === 'none') return undefined
  if (typeof value === 'string' || value === null) return `${type}:${value}`
  const text = type === 'text' ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(value) : ''
  // Bytes that are no text must not look like one.
  const isText = text !== '' && !text.includes('\ufffd')
  if (isText || value.length === 0) return `${type}:${text}`
  return `${type} bytes:${[...value].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** A memo that does not fit. */
export class InvalidMemoError extends BaseError {
  override readonly name = 'InvalidMemoError'
}
