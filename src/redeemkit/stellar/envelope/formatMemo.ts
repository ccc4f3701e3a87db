import type { Memo } from '@stellar/stellar-sdk'

/** A memo in words that can be compared: type and value; undefined for none. */
export function formatMemo({ type, value }: Memo): string | undefined {
  if (type === 'none') return undefined
  if (typeof value === 'string' || value === null) return `${type}:${value}`
  const text = type === 'text' ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(value) : ''
  // Bytes that are no text must not look like one.
  const isText = text !== '' && !text.includes('\ufffd')
  if (isText || value.length === 0) return `${type}:${text}`
  return `${type} bytes:${[...value].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
