export const base58Alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** As many digits as a double holds exactly, so that the long division is done once for nine of them. */
const nineDigits = 58n ** 9n

/** Writes bytes as base58 (Bitcoin's alphabet, as on all of Solana). */
export function formatBase58(bytes: Uint8Array): string {
  let hex = '0'
  for (const byte of bytes) hex += (byte + 256).toString(16).slice(1)
  let value = BigInt(`0x${hex}`)
  let text = ''
  while (value > 0n) {
    let part = Number(value % nineDigits)
    value /= nineDigits
    for (let i = 0; i < 9 && (value > 0n || part > 0); i++) {
      text = base58Alphabet[part % 58] + text
      part = Math.floor(part / 58)
    }
  }
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text
}
