import type { Hex } from 'viem'
import type { InvalidAmountError } from '../../core/amount.ts'
import { checkOptions } from '../../core/checkOptions.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import type { InvalidAddressError, InvalidSignatureError } from '../../core/errors/inputErrors.ts'
import type {
  UsdcAuthorizationMessageData,
  UsdcAuthorizationV1,
  UsdcAuthorizationV2,
} from '../../schema/usdcAuthorization.ts'
import {
  classifySignature,
  normalizeSignature,
  packSignature,
  type SignatureInput,
} from '../signature/normalizeSignature.ts'
import { checkHex, checkKeys, checkRecord, type InvalidHexError } from '../values.ts'
import {
  authorizationKeys,
  checkAuthorization,
  readAuthorization,
  type UsdcAuthorization,
} from './usdcAuthorization.ts'

/**
 * Reads a V1 or V2 record of a signed authorization (PROTOCOL.md 11.7).
 *
 * Returns the signature as bytes: V1's `r`, `s` and `v` concatenated, V2's `signature` unchanged.
 *
 * @throws {@link AmbiguousSignatureError} if a record has both forms of a signature; InvalidAddressError, InvalidAmountError,
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
    required: [...authorizationKeys, ...(hasBytes ? ['signature'] : ['v', 'r', 's'])],
  })
  return {
    version: hasBytes ? 'V2' : 'V1',
    authorization: readAuthorization(fields, ''),
    signature: hasBytes
      ? checkHex(fields.signature, 'signature')
      : packSignature(
          {
            r: checkHex(fields.r, 'r', { bytes: 32 }),
            s: checkHex(fields.s, 's', { bytes: 32 }),
            v: fields.v as number, // packSignature checks the type
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

/** The record has both `signature` and `v`, `r`, `s`. */
export class AmbiguousSignatureError extends BaseError {
  override readonly name = 'AmbiguousSignatureError'
}

/**
 * Converts a signed USDC authorization to a V1 record, with `v`, `r`, `s` (PROTOCOL.md 11.7).
 *
 * Works only for EOAs without code. Normalizes their signature (`v` 27 or 28, low `s`).
 *
 * @param signed an authorization with its signature, or a wire record of either version
 * @param options.hasCode whether the signer's address has code; such an account needs V2
 * @throws {@link V1NotPossibleError} for an account with code, or if the signature does not have 64 or 65 bytes;
 * InvalidSignatureError for a `v`, `r` or `s` out of range
 * @example
 * ```ts
 * import { type SignatureInput, toUsdcAuthorizationV1, type UsdcAuthorization } from 'redeemkit/evm'
 * const recordOf = (authorization: UsdcAuthorization, signature: SignatureInput) =>
 *   toUsdcAuthorizationV1({ authorization, signature })
 * ```
 */
export function toUsdcAuthorizationV1(
  signed: toUsdcAuthorizationV1.Signed,
  options: toUsdcAuthorizationV1.Options = {},
): UsdcAuthorizationV1 {
  checkOptions(options, { hasCode: 'boolean?' })
  return signedToV1(isRecordOf(signed) ? parseUsdcAuthorization(signed) : signed, options)
}

/** Like {@link toUsdcAuthorizationV1}, but does not accept wire records, so that a bundle does not need the code that parses them. */
export function signedToV1(
  { authorization, signature }: { authorization: UsdcAuthorization; signature: SignatureInput },
  options: toUsdcAuthorizationV1.Options = {},
): UsdcAuthorizationV1 {
  const bytes = packSignature(signature)
  const kind = classifySignature(bytes)
  if (options.hasCode === true || (kind !== 'packed' && kind !== 'compact' && kind !== 'empty'))
    throw new V1NotPossibleError(
      'This is not the signature of a plain key: v, r and s cannot represent it.',
      { field: 'signature', fix: 'Send it as V2, with toUsdcAuthorizationV2.' },
    )
  const packed = normalizeSignature(bytes)
  return {
    ...authorizationRecord(authorization),
    v: Number.parseInt(packed.slice(130), 16),
    r: checkHex(packed.slice(0, 66), 'r', { bytes: 32 }),
    s: checkHex(`0x${packed.slice(66, 130)}`, 's', { bytes: 32 }),
  }
}

export declare namespace toUsdcAuthorizationV1 {
  type Signed =
    | { authorization: UsdcAuthorization; signature: SignatureInput }
    | UsdcAuthorizationV1
    | UsdcAuthorizationV2
  type Options = {
    /** Whether the signer's address has code, including an EIP-7702 delegation. If so, V1 is refused. Default false. */
    hasCode?: boolean | undefined
  }
  type ErrorType = checkOptions.ErrorType | V1NotPossibleError | parseUsdcAuthorization.ErrorType
}

/** The signature cannot be represented as `v`, `r` and `s`. */
export class V1NotPossibleError extends BaseError {
  override readonly name = 'V1NotPossibleError'
}

/**
 * Converts a signed USDC authorization to a V2 record, with one `signature` (PROTOCOL.md 11.7).
 *
 * Works for every kind of account. Normalizes a signature by a key to 65 bytes. Leaves the signature unchanged with `hasCode`, and if its
 * length is not that of a signature by a key.
 *
 * @param signed an authorization with its signature, or a wire record of either version
 * @param options.hasCode whether the signer's address has code, including an EIP-7702 delegation. Default false
 * @throws InvalidSignatureError for an account without code, if the signature is empty or its `v`, `r` or `s` is out of range
 * @example
 * ```ts
 * import { type SignatureInput, toUsdcAuthorizationV2, type UsdcAuthorization } from 'redeemkit/evm'
 * const recordOf = (authorization: UsdcAuthorization, signature: SignatureInput) =>
 *   toUsdcAuthorizationV2({ authorization, signature })
 * ```
 */
export function toUsdcAuthorizationV2(
  signed: toUsdcAuthorizationV2.Signed,
  options: toUsdcAuthorizationV2.Options = {},
): UsdcAuthorizationV2 {
  checkOptions(options, { hasCode: 'boolean?' })
  return signedToV2(isRecordOf(signed) ? parseUsdcAuthorization(signed) : signed, options)
}

/** Like {@link toUsdcAuthorizationV2}, but does not accept wire records. */
export function signedToV2(
  { authorization, signature }: { authorization: UsdcAuthorization; signature: SignatureInput },
  options: toUsdcAuthorizationV2.Options = {},
): UsdcAuthorizationV2 {
  return {
    ...authorizationRecord(authorization),
    signature: normalizeSignature(signature, { hasCode: options.hasCode }),
  }
}

export declare namespace toUsdcAuthorizationV2 {
  type Signed = toUsdcAuthorizationV1.Signed
  type Options = {
    /** Whether the signer's address has code. If so, the signature stays unchanged. Default false. */
    hasCode?: boolean | undefined
  }
  type ErrorType = checkOptions.ErrorType | parseUsdcAuthorization.ErrorType
}

function authorizationRecord(authorization: UsdcAuthorization): UsdcAuthorizationMessageData {
  const { value, validAfter, validBefore, ...rest } = checkAuthorization(authorization)
  return { ...rest, value: `${value}`, validAfter: `${validAfter}`, validBefore: `${validBefore}` }
}

function isRecordOf<signed extends object>(
  signed: signed | UsdcAuthorizationV1 | UsdcAuthorizationV2,
): signed is UsdcAuthorizationV1 | UsdcAuthorizationV2 {
  return !('authorization' in checkRecord(signed, 'signed'))
}
