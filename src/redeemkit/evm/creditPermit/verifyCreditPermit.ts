import { checkOptions } from '../../core/checkOptions.ts'
import type { EvmClient } from '../client.ts'
import type { SignatureInput } from '../signature/normalizeSignature.ts'
import type { SignatureScheme } from '../signature/signatureScheme.ts'
import { verifyDigest } from '../signature/verifyDigest.ts'
import { hashTypedData } from '../viem.ts'
import { creditPermitTypedData } from './creditPermit.ts'

/**
 * Returns whether `customerWallet` signed a credit permit. Does not check the expiry.
 *
 * Signatures by an EOA's key are verified offline. Accounts with code (EIP-7702 included) are verified with ERC-1271, and ERC-6492
 * signatures with a simulated deployment; both need `client`. On Tempo, pass `signatures`: P-256 and WebAuthn are verified offline,
 * access keys need `client`.
 *
 * @param options.signature packed or compact bytes, `{ r, s, v }`, or the bytes of a contract account
 * @throws if the permit or domain is malformed, the signature is not bytes, the node does not respond (ChainReadError), or only
 * `redeemkit/tempo` could verify the signature (SignatureSchemeMissingError)
 * @example
 * ```ts
 * import { verifyCreditPermit } from 'redeemkit/evm'
 * await verifyCreditPermit({
 *   domain: { name: 'Credits', version: '1', chainId: 8453, verifyingContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3' },
 *   permit: {
 *     customerWallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
 *     creditSeed: 'my-shop',
 *     amount: 1_030_000n,
 *     validBefore: 1_800_000_000n,
 *     nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
 *   },
 *   signature: `0x${'11'.repeat(64)}1b`,
 * }) // false
 * ```
 */
export async function verifyCreditPermit(options: verifyCreditPermit.Options): Promise<boolean> {
  checkOptions(options, {
    domain: 'any',
    permit: 'any',
    signature: 'any',
    client: 'object?',
    signatures: 'object?',
  })
  const typedData = creditPermitTypedData(options)
  const { client, signature, signatures } = options
  return verifyDigest({
    address: typedData.message.customerWallet,
    addressField: 'permit.customerWallet',
    digest: hashTypedData(typedData),
    signature,
    client,
    chainId: typedData.domain.chainId,
    signatures,
  })
}

export declare namespace verifyCreditPermit {
  type Options = creditPermitTypedData.Options & {
    signature: SignatureInput
    /** Reads the chain to verify accounts with code. Without a client, only a signature by the account's own key is valid. */
    client?: EvmClient | undefined
    /** Verifies signature types that only one chain has: on Tempo, pass `tempoSignatures()` from `redeemkit/tempo`. */
    signatures?: SignatureScheme | undefined
  }
  type ErrorType = checkOptions.ErrorType | creditPermitTypedData.ErrorType | verifyDigest.ErrorType
}
