import { writeHexBytes } from '../bytes/hexToBytes.ts'

/**
 * Writes 0x-hex into 32-byte word number `word`, right-aligned, as the ABI does for addresses and full words.
 *
 * The caller has checked that it is hex of at most 32 bytes.
 */
export function writeHex(bytes: Uint8Array, word: number, hex: string): void {
  writeHexBytes(bytes, word * 32 + 32 - ((hex.length - 2) >> 1), hex)
}

/** Writes a uint256 into 32-byte word number `word`, big-endian. The caller has checked its bounds. */
export function writeUint(bytes: Uint8Array, word: number, value: bigint): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + word * 32, 32)
  let rest = value
  for (let offset = 24; offset >= 0 && rest > 0n; offset -= 8) {
    view.setBigUint64(offset, BigInt.asUintN(64, rest))
    rest >>= 64n
  }
}
