export const base58Alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Writes bytes as base58 (Bitcoin's alphabet, as on all of Solana). */
export function encodeBase58(bytes: Uint8Array): string {
  const digits: number[] = []
  let zeros = 0
  for (const byte of bytes) {
    if (byte === 0 && digits.length === 0) zeros++
    let carry = byte
    for (let i = 0; i < digits.length || carry > 0; i++) {
      carry += (digits[i] ?? 0) * 256
      digits[i] = carry % 58
      carry = Math.floor(carry / 58)
    }
  }
  return (
    '1'.repeat(zeros) +
    digits
      .reverse()
      .map((digit) => base58Alphabet[digit])
      .join('')
  )
}
