import type { Hex } from 'viem'

/** The opcodes that rules look for. */
export const opcodes = {
  origin: 0x32,
  blockHash: 0x40,
  timestamp: 0x42,
  number: 0x43,
  prevRandao: 0x44,
  delegateCall: 0xf4,
} as const

/** Every opcode in the code of a contract, without the data of pushes and the metadata that compilers append. */
export function opcodesIn(code: Hex): ReadonlySet<number> {
  const bytes = bytesOf(code)
  const end = bytes.length - metadataLength(bytes)
  const found = new Set<number>()
  for (let at = 0; at < end; at++) {
    const opcode = bytes[at] ?? 0
    found.add(opcode)
    // PUSH1 to PUSH32 are followed by 1 to 32 bytes of data.
    if (opcode >= 0x60 && opcode <= 0x7f) at += opcode - 0x5f
  }
  return found
}

/** Solidity and Vyper end the code with a CBOR map, or a list, and its length in two bytes. */
function metadataLength(bytes: Uint8Array): number {
  const [high = 0, low = 0] = bytes.slice(-2)
  const length = high * 256 + low + 2
  const first = bytes[bytes.length - length] ?? 0
  const isCbor = (first >= 0xa1 && first <= 0xa4) || (first >= 0x81 && first <= 0x85)
  return length > 4 && length < bytes.length && isCbor ? length : 0
}

function bytesOf(code: Hex): Uint8Array {
  return Uint8Array.from(code.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
