import { getAddress, type Hex } from 'viem'

/** Nodes write addresses in lower case, people with a checksum. */
export function sameAddress(a: Hex | undefined, b: Hex | undefined): boolean {
  return a !== undefined && b !== undefined && a.toLowerCase() === b.toLowerCase()
}

/** The address in a word of 32 bytes, with its checksum. */
export function addressIn(word: Hex): Hex {
  return getAddress(`0x${word.slice(-40).padStart(40, '0').toLowerCase()}`)
}
