import type { Hex } from 'viem'

/** The opcodes that rules look for. */
export const opcodes = {
  origin: 0x32,
  gasPrice: 0x3a,
  extCodeSize: 0x3b,
  extCodeCopy: 0x3c,
  extCodeHash: 0x3f,
  blockHash: 0x40,
  coinbase: 0x41,
  timestamp: 0x42,
  number: 0x43,
  prevRandao: 0x44,
  gasLimit: 0x45,
  baseFee: 0x48,
  gas: 0x5a,
  call: 0xf1,
  callCode: 0xf2,
  delegateCall: 0xf4,
  staticCall: 0xfa,
} as const

/** Every opcode in the code of a contract, without the data of pushes and the metadata that compilers append. */
export function opcodesIn(code: Hex): ReadonlySet<number> {
  return new Set(instructionsIn(code))
}

/** The opcodes in the order of the code. */
export function instructionsIn(code: Hex): readonly number[] {
  const bytes = bytesOf(code)
  const end = bytes.length - metadataLength(bytes)
  const before = sweep(bytes, 0, end)
  const after = sweep(bytes, end, bytes.length)
  // What can be come to is code, whatever the last two bytes call it.
  const isReached = !ends.has(before.at(-1) ?? 0) || after.includes(jumpDestination)
  return isReached ? sweep(bytes, 0, bytes.length) : before
}

function sweep(bytes: Uint8Array, start: number, end: number): number[] {
  const found: number[] = []
  for (let at = start; at < end; at++) {
    const opcode = bytes[at] ?? 0
    found.push(opcode)
    // PUSH1 to PUSH32 are followed by 1 to 32 bytes of data.
    if (opcode >= 0x60 && opcode <= 0x7f) at += opcode - 0x5f
  }
  return found
}

/** STOP, JUMP, RETURN, REVERT, INVALID, SELFDESTRUCT: what follows is come to by a jump only. */
const ends: ReadonlySet<number> = new Set([0x00, 0x56, 0xf3, 0xfd, 0xfe, 0xff])
const jumpDestination = 0x5b

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
