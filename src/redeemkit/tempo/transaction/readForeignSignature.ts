import type { Hex } from 'viem'
import { InvalidSignatureError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { checkAddress } from '../../evm/values/checkAddress.ts'
import { checkHex } from '../../evm/values/checkHex.ts'
import { checkRecord } from '../../evm/values/checkKeys.ts'
import { hexToBytes, numberToHex } from '../../evm/viem.ts'
import { serializeTempoSignature } from '../signature/serializeTempoSignature.ts'
import type { TempoPrimitiveSignature, TempoSignature } from '../signature/tempoSignature.ts'

/**
 * Reads a signature as ox, viem or a node writes it into a transaction: bytes, `{ r, s, yParity }`, or an envelope with its
 * `type`, with the parts inside or beside each other.
 *
 * @returns its bytes
 * @throws {@link InvalidSignatureError} and the errors of the single values
 */
export function readForeignSignature(value: unknown, field: string): Hex {
  return typeof value === 'string'
    ? checkHex(value, field)
    : serializeTempoSignature(readEnvelope(checkRecord(value, field), field))
}

export declare namespace readForeignSignature {
  type ErrorType = InvalidSignatureError | serializeTempoSignature.ErrorType
}

function readEnvelope(record: Record<string, unknown>, field: string): TempoSignature {
  if (record.type !== 'keychain') return readPrimitive(record, field)
  if (record.version !== 'v2' && record.version !== undefined && record.version !== 2)
    throw invalid(`A keychain signature of version ${showValue(record.version)} is not taken.`, field)
  const at = `${field}.inner`
  return {
    type: 'keychain',
    version: 2,
    account: checkAddress(record.userAddress, `${field}.userAddress`),
    inner: readPrimitive(checkRecord(record.inner ?? record.signature, at), at),
  }
}

function readPrimitive(record: Record<string, unknown>, field: string): TempoPrimitiveSignature {
  const { type = 'secp256k1' } = record
  const parts = checkRecord(record.signature ?? record, `${field}.signature`)
  const r = word(parts.r, `${field}.r`)
  const s = word(parts.s, `${field}.s`)
  if (type === 'secp256k1')
    return { type, r, s, v: BigInt(word(parts.yParity ?? parity(parts.v), field)) === 0n ? 27 : 28 }
  const key = checkRecord(record.publicKey ?? { x: record.pubKeyX, y: record.pubKeyY }, `${field}.publicKey`)
  const point = { x: word(key.x, `${field}.x`), y: word(key.y, `${field}.y`) }
  if (type === 'p256') return { type, r, s, ...point, prehash: (record.prehash ?? record.preHash) === true }
  if (type === 'webAuthn') return { type, r, s, ...point, ...readMetadata(record, field) }
  throw invalid(`There is no signature of type ${showValue(type)}.`, field)
}

function readMetadata({ metadata, webauthnData }: Record<string, unknown>, field: string) {
  if (webauthnData === undefined) {
    const { authenticatorData, clientDataJSON } = checkRecord(metadata, `${field}.metadata`)
    if (typeof clientDataJSON !== 'string') throw invalid('The client data is no text.', field)
    return { authenticatorData: checkHex(authenticatorData, `${field}.authenticatorData`), clientDataJSON }
  }
  const data = checkHex(webauthnData, `${field}.webauthnData`)
  return {
    authenticatorData: data.slice(0, 2 + 2 * 37) as Hex, // a cut of 0x-hex text is 0x-hex text
    clientDataJSON: new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      hexToBytes(`0x${data.slice(2 + 2 * 37)}`),
    ),
  }
}

/** 27 and 28, or the parity itself. */
function parity(v: unknown): unknown {
  const value = Number(v)
  return value > 1 ? value - 27 : v
}

/** A number, bigint or hex as 32 bytes. */
function word(value: unknown, field: string): Hex {
  try {
    if (typeof value === 'bigint' || typeof value === 'number') return numberToHex(value, { size: 32 })
    if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value))
      return numberToHex(BigInt(value), { size: 32 })
  } catch {
    // told below
  }
  throw invalid(`${showValue(value)} is no number of a signature.`, field)
}

function invalid(message: string, field: string): InvalidSignatureError {
  return new InvalidSignatureError(message, {
    field,
    fix: 'Give the signature as bytes, or as ox or viem make it.',
    docs: 'Tempo Transactions, "Signature types"',
  })
}
