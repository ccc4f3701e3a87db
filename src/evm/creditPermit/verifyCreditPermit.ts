import { isTempoChain } from '../../tempo/isTempoChain.ts'
import { verifyTempoSignature } from '../../tempo/verify/verifyTempoSignature.ts'
import type { WebAuthnExpectation } from '../../tempo/verify/webAuthnExpectation.ts'
import type { EvmClient } from '../client/evmClient.ts'
import type { SignatureInput } from '../signature/normalizeSignature.ts'
import { verifyDigest } from '../signature/verifyDigest.ts'
import { checkRecord } from '../values/checkKeys.ts'
import type { CreditPermit, CreditPermitDomain } from './creditPermit.ts'
import { creditPermitTypedData } from './creditPermitTypedData.ts'
import { hashCreditPermit } from './hashCreditPermit.ts'

/**
 * Whether a signature of a credit permit is by its `customerWallet`. Times are not looked at.
 *
 * Offline for key-held accounts. With `client`, an account with code is asked by ERC-1271, ERC-7702 accounts included,
 * and an ERC-6492-wrapped signature is judged after a trial deployment. On Tempo also P-256 and WebAuthn offline, and
 * access keys with `client`.
 *
 * @param options.signature packed or compact bytes, `{ r, s, v }`, or the bytes of a contract account
 * @throws when the permit or the domain is malformed, the signature is not bytes, or the node cannot be asked
 * (ChainReadError)
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
  checkRecord(options, 'options')
  const { domain, message } = creditPermitTypedData(options)
  const digest = hashCreditPermit({ domain, permit: message })
  const { client, signature, webAuthn } = options
  // first, because on Tempo an ordinary account may have code, which cannot answer for it
  if (isTempoChain(domain.chainId) && typeof signature === 'string') {
    const account = message.customerWallet
    if (await verifyTempoSignature({ account, digest, signature, client, webAuthn })) return true
  }
  return verifyDigest({
    address: message.customerWallet,
    addressField: 'permit.customerWallet',
    digest,
    signature,
    client,
  })
}

export declare namespace verifyCreditPermit {
  type Options = {
    domain: CreditPermitDomain
    permit: CreditPermit
    signature: SignatureInput
    /** Reads the chain for accounts with code. Without it only key-held accounts verify. */
    client?: EvmClient | undefined
    /** On Tempo, for passkeys: the relying party and pages that their signature is held against. */
    webAuthn?: WebAuthnExpectation | undefined
  }
}
