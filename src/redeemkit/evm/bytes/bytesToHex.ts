import type { Hex } from 'viem'

/** Bytes as 0x-hex text in lower case. */
export function bytesToHex(bytes: Uint8Array): Hex {
  let hex: Hex = '0x'
  for (const byte of bytes) hex += (byte < 16 ? '0' : '') + byte.toString(16)
  return hex
}
