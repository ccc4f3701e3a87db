import { checkOptions } from '../../core/checkOptions.ts'
import type { UsdcAuthorizationV1, UsdcAuthorizationV2 } from '../../schema/usdcAuthorization.ts'
import { normalizeSignature, type SignatureInput } from '../signature/normalizeSignature.ts'
import { authorizationRecord, isRecordOf } from './authorizationRecord.ts'
import { parseUsdcAuthorization } from './parseUsdcAuthorization.ts'
import type { UsdcAuthorization } from './usdcAuthorization.ts'

/**
 * Writes a signed USDC authorization as the wire's V2 record, with one `signature` (PROTOCOL.md 11.7).
 *
 * For every kind of account. A key's signature is brought into its canonical 65 bytes; with `hasCode`, and for bytes
 * that no key makes, it stays as it is.
 *
 * @param signed an authorization with its signature, or a wire record of either version
 * @param options.hasCode whether there is code at the signer's address (ERC-7702 included). Default false
 * @throws InvalidSignatureError for an account without code: no bytes, or a `v`, `r` or `s` that no key makes
 * @example
 * ```ts
 * import { toUsdcAuthorizationV2 } from 'redeemkit/evm'
 * toUsdcAuthorizationV2({
 *   authorization: {
 *     from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
 *     to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *     value: 4_000_000n,
 *     validAfter: 0n,
 *     validBefore: 1_800_000_000n,
 *     nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
 *   },
 *   signature: { r: `0x${'11'.repeat(32)}`, s: `0x${'22'.repeat(32)}`, v: 27 },
 * }).signature // '0x1111…22221b'
 * ```
 */
export function toUsdcAuthorizationV2(
  signed: toUsdcAuthorizationV2.Signed,
  options: toUsdcAuthorizationV2.Options = {},
): UsdcAuthorizationV2 {
  checkOptions(options, { hasCode: 'boolean?' })
  return signedToV2(isRecordOf(signed) ? parseUsdcAuthorization(signed) : signed, options)
}

/** The same of an authorization and its signature only, without the readers of wire records. */
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
  type Signed =
    | { authorization: UsdcAuthorization; signature: SignatureInput }
    | UsdcAuthorizationV1
    | UsdcAuthorizationV2
  type Options = {
    /** Whether there is code at the signer's address; then the signature stays as it is. Default false. */
    hasCode?: boolean | undefined
  }
  type ErrorType = checkOptions.ErrorType | parseUsdcAuthorization.ErrorType
}
