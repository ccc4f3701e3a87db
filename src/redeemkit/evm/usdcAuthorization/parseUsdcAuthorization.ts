import type { Hex } from 'viem'
import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import type { InvalidAddressError, InvalidSignatureError } from '../../core/errors/inputErrors.ts'
import type { UsdcAuthorizationV1, UsdcAuthorizationV2 } from '../../schema/usdcAuthorization.ts'
import { packSignature } from '../signature/normalizeSignature.ts'
import { checkAddress } from '../values/checkAddress.ts'
import { checkHex, type InvalidHexError } from '../values/checkHex.ts'
import { checkKeys, checkRecord } from '../values/checkKeys.ts'
import { parseUint } from '../values/checkUint.ts'
import type { UsdcAuthorization } from './usdcAuthorization.ts'

const messageKeys = ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'] as const

/**
 * Reads a wire record of either version (PROTOCOL.md 11.7).
 *
 * The signature comes out as bytes: V1's parts joined to r ‖ s ‖ v as they are, V2's untouched.
 *
 * @throws {@link AmbiguousSignatureError} when a record has both forms; InvalidAddressError, InvalidAmountError,
 * InvalidHexError, InvalidSignatureError, MissingFieldError, UnknownFieldError
 * @example
 * ```ts
 * import { parseUsdcAuthorization } from 'redeemkit/evm'
 * import type { UsdcAuthorizationV2 } from 'redeemkit/schema'
 * const read = (record: UsdcAuthorizationV2) => parseUsdcAuthorization(record).authorization.value
 * ```
 */
export function parseUsdcAuthorization(
  record: UsdcAuthorizationV1 | UsdcAuthorizationV2,
): parseUsdcAuthorization.ReturnType {
  const fields = checkRecord(record, 'usdcAuthorization')
  const hasBytes = fields.signature !== undefined
  if (hasBytes && (fields.v !== undefined || fields.r !== undefined || fields.s !== undefined))
    throw new AmbiguousSignatureError('The record has both "signature" and v, r, s.', {
      field: 'signature',
      fix: 'Send v, r, s (V1) or signature (V2), not both.',
    })
  checkKeys(fields, 'usdcAuthorization', {
    required: [...messageKeys, ...(hasBytes ? ['signature'] : ['v', 'r', 's'])],
  })
  return {
    version: hasBytes ? 'V2' : 'V1',
    authorization: {
      from: checkAddress(fields.from, 'from'),
      to: checkAddress(fields.to, 'to'),
      value: parseUint(fields.value, 'value'),
      validAfter: parseUint(fields.validAfter, 'validAfter'),
      validBefore: parseUint(fields.validBefore, 'validBefore'),
      nonce: checkHex(fields.nonce, 'nonce', { bytes: 32 }),
    },
    signature: hasBytes
      ? checkHex(fields.signature, 'signature')
      : packSignature(
          {
            r: checkHex(fields.r, 'r', { bytes: 32 }),
            s: checkHex(fields.s, 's', { bytes: 32 }),
            v: typeof fields.v === 'number' ? fields.v : Number.NaN,
          },
          '',
        ),
  }
}

export declare namespace parseUsdcAuthorization {
  type ReturnType = { version: 'V1' | 'V2'; authorization: UsdcAuthorization; signature: Hex }
  type ErrorType =
    | AmbiguousSignatureError
    | checkKeys.ErrorType
    | InvalidAddressError
    | InvalidAmountError
    | InvalidHexError
    | InvalidSignatureError
}

/** A record that carries a signature twice. */
export class AmbiguousSignatureError extends BaseError {
  override readonly name = 'AmbiguousSignatureError'
}
