import { InvalidSignatureError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { WrongSignatureError } from '../../core/errors/walletErrors.ts'
import { parseBase64 } from '../encoding.ts'
import { isSignedBy } from './isSignedBy.ts'

/**
 * The 64 bytes of a signature in what a wallet answered, verified.
 *
 * @throws `InvalidSignatureError`, `InvalidBase64Error`; `WrongSignatureError` when it is by another key, or of other bytes
 */
export function readSignature(value: unknown, digest: Uint8Array, address: string): Uint8Array {
  const signature = toBytes(value)
  if (signature?.length !== 64)
    throw new InvalidSignatureError(
      `A signature has 64 bytes; the wallet returned ${signature?.length ?? showValue(value)}.`,
      { field: 'signature', fix: 'Update the wallet, or use a wallet that follows SEP-43.' },
    )
  if (!isSignedBy(address, digest, signature))
    throw new WrongSignatureError(`The returned signature is not by ${address} over this request.`, {
      field: 'signature',
      fix: 'Select that account in the wallet, or update the wallet (SEP-53).',
    })
  return signature
}

/**
 * A signature of 64 bytes in base64 has 88 characters; these, taken for bytes, are encoded once more by a library between some
 * wallets and their caller. Origin: Creit-Tech/Stellar-Wallets-Kit, issue 68.
 */
function decodeTwice(bytes: Uint8Array): Uint8Array {
  return bytes.length === 88 ? parseBase64(String.fromCharCode(...bytes), 'signature') : bytes
}

/** Reads bytes as wallets hand them out: bytes, a `Buffer` that went through JSON, base64 or hex text. */
function toBytes(value: unknown): Uint8Array | undefined {
  if (typeof value === 'string' && value !== '')
    // 64 bytes in hex, as some wallets write them; their base64 is shorter.
    return /^[0-9a-f]{128}$/i.test(value)
      ? Uint8Array.from(value.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
      : decodeTwice(parseBase64(value, 'signature'))
  const data: unknown = Object(value).data ?? value
  // Of any realm: a wallet's frame has classes of its own.
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice()
  if (Object.prototype.toString.call(data) === '[object ArrayBuffer]')
    // What names itself so is one.
    return new Uint8Array(data as ArrayBuffer).slice()
  if (Array.isArray(data) && data.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256))
    return Uint8Array.from(data)
  return undefined
}
