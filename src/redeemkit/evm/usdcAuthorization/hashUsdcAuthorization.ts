import type { Hex } from 'viem'
import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import { hexToBytes } from '../bytes/hexToBytes.ts'
import { hashDigest } from '../eip712/hashDigest.ts'
import { writeHex, writeUint } from '../eip712/writeWord.ts'
import type { UsdcTokenOverride } from '../usdcToken.ts'
import { checkAddress } from '../values/checkAddress.ts'
import { checkHex, type InvalidHexError } from '../values/checkHex.ts'
import { checkRecord } from '../values/checkKeys.ts'
import { checkUint } from '../values/checkUint.ts'
import { checkAuthorizationType, type UnknownAuthorizationTypeError } from './checkAuthorizationType.ts'
import type { UsdcAuthorization, UsdcAuthorizationType } from './usdcAuthorization.ts'
import { usdcDomainSeparator } from './usdcDomain.ts'

/** keccak256 of the two type strings (EIP-3009). */
const typehashes = {
  TransferWithAuthorization: /* @__PURE__ */ hexToBytes(
    '0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267',
  ),
  ReceiveWithAuthorization: /* @__PURE__ */ hexToBytes(
    '0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8',
  ),
} as const

/**
 * The EIP-712 digest of a USDC authorization: what the wallet signs and the token checks.
 *
 * @returns 32 bytes
 * @throws NoUsdcAuthorizationError on Tempo; UnknownNetworkError; UnknownAuthorizationTypeError; InvalidAddressError,
 * InvalidAmountError, InvalidHexError
 * @example
 * ```ts
 * import { hashUsdcAuthorization } from 'redeemkit/evm'
 * hashUsdcAuthorization({
 *   chainId: 8453,
 *   type: 'ReceiveWithAuthorization',
 *   authorization: {
 *     from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
 *     to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *     value: 4_000_000n,
 *     validAfter: 0n,
 *     validBefore: 1_800_000_000n,
 *     nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
 *   },
 * })
 * ```
 */
export function hashUsdcAuthorization(options: hashUsdcAuthorization.Options): Hex {
  checkRecord(options, 'options')
  const { authorization } = options
  checkRecord(authorization, 'authorization')
  const bytes = new Uint8Array(224)
  bytes.set(typehashes[checkAuthorizationType(options.type)])
  writeHex(bytes, 1, checkAddress(authorization.from, 'authorization.from'))
  writeHex(bytes, 2, checkAddress(authorization.to, 'authorization.to'))
  writeUint(bytes, 3, checkUint(authorization.value, 'authorization.value'))
  writeUint(bytes, 4, checkUint(authorization.validAfter, 'authorization.validAfter'))
  writeUint(bytes, 5, checkUint(authorization.validBefore, 'authorization.validBefore'))
  writeHex(bytes, 6, checkHex(authorization.nonce, 'authorization.nonce', { bytes: 32 }))
  return hashDigest(usdcDomainSeparator(options.chainId, options.token), bytes)
}

export declare namespace hashUsdcAuthorization {
  type Options = {
    chainId: number
    type: UsdcAuthorizationType
    authorization: UsdcAuthorization
    /** A test token in place of the chain's pinned USDC. */
    token?: UsdcTokenOverride | undefined
  }
  type ErrorType =
    | usdcDomainSeparator.ErrorType
    | InvalidAmountError
    | InvalidHexError
    | UnknownAuthorizationTypeError
}
