import type { Hex } from 'viem'
import { keccak256, stringToBytes } from '../../evm/viem.ts'

/**
 * A checksum of plain data: the same for the same data, in whatever order a storage gives its fields back.
 */
export function checksumOf(data: object): Hex {
  const sorted = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value
  return keccak256(stringToBytes(JSON.stringify(data, sorted)))
}
