/**
 * The bytes of 0x-hex text. The caller has checked that it is whole bytes.
 */
export function hexToBytes(hex: string): Uint8Array {
  const bytes = new Uint8Array((hex.length - 2) >> 1)
  writeHexBytes(bytes, 0, hex)
  return bytes
}

/** Writes the bytes of checked 0x-hex text from position `start` on. */
export function writeHexBytes(bytes: Uint8Array, start: number, hex: string): void {
  for (let index = 2, at = start; index < hex.length; index += 2)
    bytes[at++] = (digitOf(hex.charCodeAt(index)) << 4) | digitOf(hex.charCodeAt(index + 1))
}

/** 0 to 15 for the character code of a hexadecimal digit, in either case. */
const digitOf = (code: number) => (code & 15) + (code >> 6) * 9
