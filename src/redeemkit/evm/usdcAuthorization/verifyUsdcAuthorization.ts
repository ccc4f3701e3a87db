import { checkOptions } from '../../core/checkOptions.ts'
import type { EvmClient } from '../client.ts'
import type { SignatureInput } from '../signature/normalizeSignature.ts'
import { verifyDigest } from '../signature/verifyDigest.ts'
import { hashUsdcAuthorization, usdcAuthorizationTypedData } from './usdcAuthorization.ts'

/**
 * Returns whether `from` signed a USDC authorization. Does not check `validAfter` and `validBefore`.
 *
 * Signatures by an EOA's key are verified offline. Accounts with code (EIP-7702 included) are verified with ERC-1271, and ERC-6492
 * signatures with a simulated deployment; both need `client`. The token itself does not accept ERC-6492 signatures.
 *
 * @param options.signature packed or compact bytes, `{ r, s, v }`, or the bytes of a contract account
 * @throws if the authorization is malformed, the signature is not bytes, the chain has no EIP-3009 USDC
 * (NoUsdcAuthorizationError), or the node does not respond (ChainReadError)
 * @example
 * ```ts
 * import { verifyUsdcAuthorization } from 'redeemkit/evm'
 * await verifyUsdcAuthorization({
 *   chainId: 8453,
 *   type: 'TransferWithAuthorization',
 *   authorization: {
 *     from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
 *     to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *     value: 4_000_000n,
 *     validAfter: 0n,
 *     validBefore: 1_800_000_000n,
 *     nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
 *   },
 *   signature: { r: `0x${'11'.repeat(32)}`, s: `0x${'22'.repeat(32)}`, v: 27 },
 * }) // false
 * ```
 */
export async function verifyUsdcAuthorization(options: verifyUsdcAuthorization.Options): Promise<boolean> {
  checkOptions(options, {
    chainId: 'any',
    type: 'any',
    authorization: 'any',
    signature: 'any',
    token: 'object?',
    client: 'object?',
  })
  const { chainId, type, token, signature, client } = options
  const { message } = usdcAuthorizationTypedData({
    chainId,
    type,
    authorization: options.authorization,
    token,
  })
  return verifyDigest({
    address: message.from,
    addressField: 'authorization.from',
    digest: hashUsdcAuthorization({ chainId, type, authorization: message, token }),
    signature,
    client,
  })
}

export declare namespace verifyUsdcAuthorization {
  type Options = usdcAuthorizationTypedData.Options & {
    signature: SignatureInput
    /** Reads the chain to verify accounts with code. Without a client, only a signature by the account's own key is valid. */
    client?: EvmClient | undefined
  }
  type ErrorType = checkOptions.ErrorType | usdcAuthorizationTypedData.ErrorType | verifyDigest.ErrorType
}
