import type { Hex } from 'viem'
import { bytesToHex, hexToBytes } from '../../evm/viem.ts'

/** base64url without padding (RFC 4648, section 5): how WebAuthn writes a challenge. */
export function base64url(hex: Hex): string {
  const text = String.fromCharCode(...hexToBytes(hex))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The inverse of {@link base64url}; throws for text that is not base64url. */
export function fromBase64url(text: string): Hex {
  const decoded = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return bytesToHex(Uint8Array.from(decoded, (char) => char.charCodeAt(0)))
}
