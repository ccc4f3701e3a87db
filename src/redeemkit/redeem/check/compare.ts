import type { Hex } from 'viem'
import { keccak256, stringToBytes } from '../../evm/viem.ts'
import { PreparedMismatchError } from '../errors.ts'

/** Compares the nonce case-insensitively. */
export function sameFields<T extends object>(at: string, actual: T, expected: T): void {
  // The keys of T.
  for (const key of Object.keys(expected) as (keyof T & string)[]) {
    const [one, other] = [expected[key], actual[key]]
    same(`${at}.${key}`, key === 'nonce' ? lower(one) : one, key === 'nonce' ? lower(other) : other)
  }
}

const lower = (value: unknown) => String(value).toLowerCase()

export function same(field: string, expected: unknown, actual: unknown): void {
  if (expected !== actual) throw new PreparedMismatchError(field, expected, actual)
}

export declare namespace same {
  type ErrorType = PreparedMismatchError
}

/** The checksum does not depend on the order of keys. */
export function checksumOf(data: object): Hex {
  const sorted = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value
  return keccak256(stringToBytes(JSON.stringify(data, sorted)))
}
