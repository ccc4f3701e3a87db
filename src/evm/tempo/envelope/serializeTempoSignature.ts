import { concatHex, type Hex, numberToHex, stringToHex } from 'viem'
import { parseTempoSignature } from './parseTempoSignature.ts'
import type { TempoSignature } from './tempoSignature.ts'

/**
 * Writes a Tempo signature as bytes: the inverse of `parseTempoSignature`, which reads them back before they are given
 * out, so that nothing leaves here which would be refused there.
 *
 * @returns 65 bytes for secp256k1; type byte and fields for the others
 * @throws {@link InvalidTempoSignatureError} when a part is out of its range
 * @example
 * ```ts
 * import { parseTempoSignature, serializeTempoSignature } from 'redeemkit/evm'
 * serializeTempoSignature(parseTempoSignature(`0x${'11'.repeat(64)}1b`)) // the same bytes
 * ```
 */
export function serializeTempoSignature(signature: TempoSignature): Hex {
  const bytes = write(signature)
  parseTempoSignature(bytes)
  return bytes
}

export declare namespace serializeTempoSignature {
  type ErrorType = parseTempoSignature.ErrorType
}

function write(signature: TempoSignature): Hex {
  const { type } = signature
  if (type === 'keychain') return low(concatHex(['0x04', signature.account, write(signature.inner)]))
  const { r, s } = signature
  if (type === 'secp256k1') return low(concatHex([r, s, numberToHex(signature.v, { size: 1 })]))
  const { x, y } = signature
  if (type === 'p256') return low(concatHex(['0x01', r, s, x, y, signature.prehash ? '0x01' : '0x00']))
  const { authenticatorData, clientDataJSON } = signature
  return low(concatHex(['0x02', authenticatorData, stringToHex(clientDataJSON), r, s, x, y]))
}

function low(hex: Hex): Hex {
  return hex.toLowerCase() as Hex // lower-casing keeps the 0x prefix
}
