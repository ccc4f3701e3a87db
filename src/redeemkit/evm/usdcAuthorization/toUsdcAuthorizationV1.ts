import { checkOptions } from '../../core/checkOptions.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import type { UsdcAuthorizationV1, UsdcAuthorizationV2 } from '../../schema/usdcAuthorization.ts'
import { classifySignature } from '../signature/classifySignature.ts'
import { normalizeSignature, packSignature, type SignatureInput } from '../signature/normalizeSignature.ts'
import { checkHex } from '../values/checkHex.ts'
import { authorizationRecord, isRecordOf } from './authorizationRecord.ts'
import { parseUsdcAuthorization } from './parseUsdcAuthorization.ts'
import type { UsdcAuthorization } from './usdcAuthorization.ts'

/**
 * Writes a signed USDC authorization as the wire's V1 record, with `v`, `r`, `s` (PROTOCOL.md 11.7).
 *
 * Only for a plain key-held account: its signature is brought into its canonical form first (`v` 27 or 28, low `s`).
 *
 * @param signed an authorization with its signature, or a wire record of either version
 * @param options.hasCode whether there is code at the signer's address; such an account goes with V2
 * @throws {@link V1NotPossibleError} when it has, or the signature is not 64 or 65 bytes of a key; InvalidSignatureError for a `v`,
 * `r` or `s` that no key makes
 * @example
 * ```ts
 * import { toUsdcAuthorizationV1 } from 'redeemkit/evm'
 * toUsdcAuthorizationV1({
 *   authorization: {
 *     from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
 *     to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *     value: 4_000_000n,
 *     validAfter: 0n,
 *     validBefore: 1_800_000_000n,
 *     nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
 *   },
 *   signature: `0x${'11'.repeat(64)}1b`,
 * }).v // 27
 * ```
 */
export function toUsdcAuthorizationV1(
  signed: toUsdcAuthorizationV1.Signed,
  options: toUsdcAuthorizationV1.Options = {},
): UsdcAuthorizationV1 {
  checkOptions(options, { hasCode: 'boolean?' })
  return signedToV1(isRecordOf(signed) ? parseUsdcAuthorization(signed) : signed, options)
}

/** The same of an authorization and its signature only, without the readers of wire records. */
export function signedToV1(
  { authorization, signature }: { authorization: UsdcAuthorization; signature: SignatureInput },
  options: toUsdcAuthorizationV1.Options = {},
): UsdcAuthorizationV1 {
  const bytes = packSignature(signature)
  const kind = classifySignature(bytes)
  if (options.hasCode === true || (kind !== 'packed' && kind !== 'compact' && kind !== 'empty'))
    throw new V1NotPossibleError('This is not the signature of a plain key: v, r and s cannot carry it.', {
      field: 'signature',
      fix: 'Send it as V2, with toUsdcAuthorizationV2.',
    })
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
    /** Whether there is code at the signer's address (ERC-7702 included); then V1 is refused. Default false. */
    hasCode?: boolean | undefined
  }
  type ErrorType = checkOptions.ErrorType | V1NotPossibleError | parseUsdcAuthorization.ErrorType
}

/** A signature that v, r and s cannot carry. */
export class V1NotPossibleError extends BaseError {
  override readonly name = 'V1NotPossibleError'
}
