/** Value of a hexadecimal digit by its character code. */
const digitValues = /* @__PURE__ */ (() => {
  const values = new Uint8Array(128)
  for (let digit = 0; digit < 16; digit++) {
    const text = digit.toString(16)
    values[text.charCodeAt(0)] = digit
    values[text.toUpperCase().charCodeAt(0)] = digit
  }
  return values
})()

/**
 * Writes 0x-hex into 32-byte word number `word`, right-aligned, as the ABI does for addresses and full words.
 *
 * The caller has checked that it is hex of at most 32 bytes.
 */
export function writeHex(bytes: Uint8Array, word: number, hex: string): void {
  const length = (hex.length - 2) >> 1
  let at = word * 32 + 32 - length
  for (let index = 2; index < hex.length; index += 2) {
    const high = digitValues[hex.charCodeAt(index)] ?? 0
    const low = digitValues[hex.charCodeAt(index + 1)] ?? 0
    bytes[at++] = (high << 4) | low
  }
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
