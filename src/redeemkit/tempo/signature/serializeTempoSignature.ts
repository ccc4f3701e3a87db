import type { Hex } from 'viem'
import { type InvalidRecordError, InvalidSignatureError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { checkAddress } from '../../evm/values/checkAddress.ts'
import { checkHex, type InvalidHexError } from '../../evm/values/checkHex.ts'
import { checkRecord } from '../../evm/values/checkKeys.ts'
import { checkText, type InvalidTextError } from '../../evm/values/checkText.ts'
import { concatHex, numberToHex, stringToHex } from '../../evm/viem.ts'
import { parseTempoSignature } from './parseTempoSignature.ts'
import type { TempoSignature } from './tempoSignature.ts'

/**
 * Writes a Tempo signature as bytes: the inverse of `parseTempoSignature`, which reads them back before they are given
 * out, so that nothing leaves here which would be refused there.
 *
 * @returns 65 bytes for secp256k1; type byte and fields for the others
 * @throws {@link InvalidSignatureError} when a part is out of its range; {@link InvalidHexError},
 * {@link InvalidAddressError}, {@link InvalidTextError}, {@link InvalidRecordError} when one is missing or of another type
 * @example
 * ```ts
 * import { parseTempoSignature, serializeTempoSignature } from 'redeemkit/tempo'
 * serializeTempoSignature(parseTempoSignature(`0x${'11'.repeat(64)}1b`)) // the same bytes
 * ```
 */
export function serializeTempoSignature(signature: TempoSignature): Hex {
  const bytes = write(signature)
  parseTempoSignature(bytes)
  return bytes
}

export declare namespace serializeTempoSignature {
  type ErrorType = parseTempoSignature.ErrorType | InvalidHexError | InvalidRecordError | InvalidTextError
}

function write(signature: TempoSignature): Hex {
  checkRecord(signature, 'signature')
  const { type } = signature
  if (type === 'keychain') {
    const account = checkAddress(signature.account, 'signature.account')
    return low(concatHex(['0x04', account, write(signature.inner)]))
  }
  const r = word(signature.r, 'r')
  const s = word(signature.s, 's')
  if (type === 'secp256k1') {
    if (signature.v !== 27 && signature.v !== 28) throw invalid('v', signature.v)
    return low(concatHex([r, s, numberToHex(signature.v, { size: 1 })]))
  }
  if (type !== 'p256' && type !== 'webAuthn') throw invalid('type', type)
  const x = word(signature.x, 'x')
  const y = word(signature.y, 'y')
  if (type === 'p256') {
    if (typeof signature.prehash !== 'boolean') throw invalid('prehash', signature.prehash)
    return low(concatHex(['0x01', r, s, x, y, signature.prehash ? '0x01' : '0x00']))
  }
  const authenticatorData = checkHex(signature.authenticatorData, 'signature.authenticatorData')
  const clientData = stringToHex(checkText(signature.clientDataJSON, 'signature.clientDataJSON'))
  return low(concatHex(['0x02', authenticatorData, clientData, r, s, x, y]))
}

function word(value: Hex, name: string): Hex {
  return checkHex(value, `signature.${name}`, { bytes: 32 })
}

function low(hex: Hex): Hex {
  return hex.toLowerCase() as Hex // lower-casing keeps the 0x prefix
}

function invalid(name: string, value: unknown): InvalidSignatureError {
  return new InvalidSignatureError(`${name} ${showValue(value)} is none of a Tempo signature.`, {
    field: `signature.${name}`,
    fix: 'Give the parts as parseTempoSignature does.',
    docs: 'Tempo Transactions, "Signature types"',
  })
}
