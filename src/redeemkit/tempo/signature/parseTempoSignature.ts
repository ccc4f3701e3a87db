import type { Hex } from 'viem'
import { utf8Text } from '../../core/attempt.ts'
import { type InvalidAddressError, InvalidSignatureError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import { curveOrder } from '../../evm/signature/normalizeSignature.ts'
import { isHex } from '../../evm/values.ts'
import { size as bytesIn, hexToBytes, slice } from '../../evm/viem.ts'
import type { TempoPrimitiveSignature, TempoSignature, TempoWebAuthnSignature } from './tempoSignature.ts'
import { p256Order } from './tempoSignature.ts'

/** Maximum size in bytes of a WebAuthn signature on Tempo, including the type byte. */
const maxWebAuthnSize = 2049
const authenticatorDataSize = 37
const shortestClientData = 32

/**
 * Parses the bytes of a Tempo signature. Accepts only one encoding of each signature, so
 * `serializeTempoSignature(parseTempoSignature(x))` is `x`.
 *
 * Like the chain, it refuses a high `s`, an `r` or `s` out of range, a wrong size, an unknown type, a keychain signature inside another,
 * and attested credential data or extensions. Unlike the chain, it also refuses a `v` other than 27 or 28, a `prehash` byte other than 0
 * or 1, and Keychain V1 (type 0x03), whose digest does not contain the account.
 *
 * @param signature hex bytes. 65 bytes are a secp256k1 signature; in any other signature, the first byte is the type
 * @throws {@link InvalidSignatureError} with the reason. The message never contains the signature
 * @see Tempo Transactions, "Signature types"; TIP-1020, "Signature encoding"
 * @example
 * ```ts
 * import { parseTempoSignature } from 'redeemkit/tempo'
 *
 * const signature = parseTempoSignature(`0x04${'48'.repeat(20)}${'11'.repeat(64)}1b`)
 * if (signature.type === 'keychain') signature.account // '0x4848484848484848484848484848484848484848'
 * ```
 */
export function parseTempoSignature(signature: Hex): TempoSignature {
  if (!isHex(signature)) throw malformed(`${showValue(signature, 12)} is not hex bytes.`)
  const text = signature.toLowerCase() as Hex // `toLowerCase` keeps the 0x prefix
  if (bytesIn(text) === 65 || byteAt(text, 0) !== 4) return parsePrimitive(text)

  if (bytesIn(text) < 22) throw malformed('The Keychain V2 signature ends before its inner signature.')
  const inner = slice(text, 21)
  if (bytesIn(inner) !== 65 && byteAt(inner, 0) > 2)
    throw malformed('The inner signature of a Keychain V2 signature must come from a single key.')
  return {
    type: 'keychain',
    version: 2,
    account: checkAddress(slice(text, 1, 21), 'signature'),
    inner: parsePrimitive(inner),
  }
}

export declare namespace parseTempoSignature {
  type ErrorType = InvalidSignatureError | InvalidAddressError
}

function parsePrimitive(text: Hex): TempoPrimitiveSignature {
  const size = bytesIn(text)
  if (size === 0) throw malformed('The signature is empty.')
  if (size === 65) {
    const v = byteAt(text, 64)
    if (v !== 27 && v !== 28) throw malformed(`Recovery byte ${v} is neither 27 nor 28.`)
    return { type: 'secp256k1', ...scalars(text, 0, curveOrder), v }
  }
  switch (byteAt(text, 0)) {
    case 1: {
      if (size !== 130) throw malformed(`A P-256 signature has 130 bytes, not ${size}.`)
      const prehash = byteAt(text, 129)
      if (prehash > 1) throw malformed(`Prehash byte ${prehash} is neither 0 nor 1.`)
      return { type: 'p256', ...scalars(text, 1, p256Order), ...point(text, 65), prehash: prehash === 1 }
    }
    case 2:
      return parseWebAuthn(text, size)
    case 3:
      throw malformed('Keychain V1 (type 0x03) does not commit to the account. Sign with Keychain V2 (0x04).')
    case 5:
      throw malformed('A native multisig (type 0x05) is not supported.')
    default:
      throw malformed(`Type byte 0x${text.slice(2, 4)} with ${size} bytes is not a Tempo signature.`)
  }
}

function parseWebAuthn(text: Hex, size: number): TempoWebAuthnSignature {
  const least = 1 + authenticatorDataSize + shortestClientData + 128
  if (size < least || size > maxWebAuthnSize)
    throw malformed(`A WebAuthn signature has ${least} to ${maxWebAuthnSize} bytes, not ${size}.`)
  const authenticatorData = slice(text, 1, 1 + authenticatorDataSize)
  const flags = byteAt(authenticatorData, 32)
  if ((flags & 0x40) !== 0)
    throw malformed('The authenticator data contains attested credential data (flag AT).')
  if ((flags & 0x80) !== 0) throw malformed('The authenticator data contains extensions (flag ED).')
  const clientDataJSON = utf8Text(hexToBytes(slice(text, 1 + authenticatorDataSize, size - 128)))
  if (clientDataJSON === undefined) throw malformed('The client data is not UTF-8.')
  return {
    type: 'webAuthn',
    ...scalars(text, size - 128, p256Order),
    ...point(text, size - 64),
    authenticatorData,
    clientDataJSON,
  }
}

function scalars(text: Hex, offset: number, order: bigint): { r: Hex; s: Hex } {
  const r = slice(text, offset, offset + 32)
  const s = slice(text, offset + 32, offset + 64)
  if (BigInt(r) === 0n || BigInt(r) >= order) throw malformed('r is out of range.')
  if (BigInt(s) === 0n || BigInt(s) >= order) throw malformed('s is out of range.')
  if (BigInt(s) > order / 2n) throw malformed('s is in the upper half of its range (high s).')
  return { r, s }
}

function point(text: Hex, offset: number): { x: Hex; y: Hex } {
  return { x: slice(text, offset, offset + 32), y: slice(text, offset + 32, offset + 64) }
}

function byteAt(text: Hex, index: number): number {
  return Number.parseInt(text.slice(2 + 2 * index, 4 + 2 * index), 16)
}

function malformed(message: string): InvalidSignatureError {
  return new InvalidSignatureError(message, {
    field: 'signature',
    fix: 'Pass the wallet’s bytes unchanged. If they are wrong, ask the wallet to sign again.',
    source: 'Tempo Transactions, "Signature types"',
  })
}
