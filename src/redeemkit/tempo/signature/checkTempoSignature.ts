import type { Address, Hex } from 'viem'
import { attempt } from '../../core/attempt.ts'
import { checkOptions } from '../../core/checkOptions.ts'
import type { Clock, InvalidClockError } from '../../core/clock.ts'
import { loadModule, type ModuleLoadError } from '../../core/loadModule.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import type { EvmClient } from '../../evm/client.ts'
import { checkHex, type InvalidHexError } from '../../evm/values.ts'
import { concatHex, hexToBytes, recoverAddress, sha256, stringToHex } from '../../evm/viem.ts'
import { type getAccessKey, judgeAccessKey } from './getAccessKey.ts'
import {
  keychainDigest,
  p256Address,
  type TempoP256Signature,
  type TempoPrimitiveSignature,
  type TempoSignature,
  type TempoWebAuthnSignature,
} from './tempoSignature.ts'
import {
  readSignature,
  refusal,
  type TempoSignatureCheck,
  type TempoSignatureRefusal,
  wrongAccount,
} from './tempoSignatureCheck.ts'
import { checkWebAuthnExpectation, judgeAssertion, type WebAuthnExpectation } from './webAuthnExpectation.ts'

/**
 * Verifies that an account signed a digest, with any of Tempo's four kinds of signatures. Returns the problem if the signature is invalid.
 *
 * secp256k1, P-256 and WebAuthn are verified offline. An access key (Keychain V2) must be authorized by the account on chain, so it needs
 * `client`; without one, it is refused as unchecked. An access key with a spending or call limit is refused, unless `limitedAccessKeys` is
 * `accept`, because a permit bypasses such limits.
 *
 * For WebAuthn, it also checks type, challenge, flags, origin, frame and relying party id. If you expect no specific origin or id, the two
 * must match each other. A cross-origin frame is refused unless `webAuthn` allows it.
 *
 * @param options.digest 32 bytes: the EIP-712 digest that the wallet was asked to sign
 * @returns the signer, or the problem of an invalid signature
 * @throws InvalidAddressError, {@link InvalidHexError} for an invalid account or digest; InvalidOptionError for an
 * invalid `webAuthn`; ChainReadError when the node does not respond; ModuleLoadError if the P-256 code cannot be loaded
 * @see Tempo Transactions, "Signature validation"; TIP-1020; WebAuthn L3, section 7.2
 * @example
 * ```ts
 * import { checkTempoSignature } from 'redeemkit/tempo'
 *
 * const check = await checkTempoSignature({
 *   account: '0xDb1cF7C2C5375aeA1B363BD4A67803c7F704051b',
 *   digest: '0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
 *   signature: `0x${'22'.repeat(64)}1b`,
 *   webAuthn: { rpId: 'shop.example', origins: ['https://shop.example'] },
 * })
 * if (!check.valid) check.problem // 'WRONG_ACCOUNT'
 * ```
 */
export async function checkTempoSignature(
  options: checkTempoSignature.Options,
): Promise<TempoSignatureCheck> {
  checkOptions(options, {
    account: 'any',
    digest: 'any',
    signature: 'any',
    webAuthn: 'any',
    client: 'object?',
    limitedAccessKeys: 'any',
    now: 'any',
  })
  const account = checkAddress(options.account, 'account')
  const digest = checkHex(options.digest, 'digest', { bytes: 32 })
  const webAuthn = checkWebAuthnExpectation(options.webAuthn)
  const signature = readSignature(options.signature)
  if ('valid' in signature) return signature
  if (signature.type === 'keychain')
    return checkAccessKey(account, digest, signature, { ...options, webAuthn })
  const signer = await checkKey(digest, signature, webAuthn)
  if (typeof signer !== 'string') return signer
  if (signer !== account) return wrongAccount(signer, account)
  return { valid: true, kind: signature.type, signer }
}

export declare namespace checkTempoSignature {
  type Options = {
    /** The expected signer. */
    account: Address
    digest: Hex
    signature: Hex
    webAuthn?: WebAuthnExpectation | undefined
    /** Reads the Tempo chain. Required for access keys only. */
    client?: EvmClient | undefined
    /** Whether to accept access keys with a spending or call limit. Default `refuse`. */
    limitedAccessKeys?: 'refuse' | 'accept' | undefined
    now?: Clock | undefined
  }
  type ErrorType = getAccessKey.ErrorType | InvalidClockError | InvalidHexError | ModuleLoadError
}

async function checkAccessKey(
  account: Address,
  digest: Hex,
  signature: Extract<TempoSignature, { type: 'keychain' }>,
  options: checkTempoSignature.Options & { webAuthn: WebAuthnExpectation },
): Promise<TempoSignatureCheck> {
  if (signature.account !== account) return wrongAccount(signature.account, account)
  const { inner } = signature
  const keyId = await checkKey(keychainDigest({ digest, account }), inner, options.webAuthn)
  if (typeof keyId !== 'string') return keyId
  if (options.client === undefined)
    return refusal(
      'ACCESS_KEY_UNCHECKED',
      'Pass a client: only the chain knows whether this access key may act for the account.',
    )
  const { client, limitedAccessKeys, now } = options
  return judgeAccessKey(client, { account, keyId, kind: inner.type, limitedAccessKeys, now })
}

async function checkKey(
  digest: Hex,
  signature: TempoPrimitiveSignature,
  expected: WebAuthnExpectation,
): Promise<Address | TempoSignatureRefusal> {
  if (signature.type === 'secp256k1') {
    try {
      const { r, s, v } = signature
      return await recoverAddress({ hash: digest, signature: { r, s, yParity: v - 27 } })
    } catch {
      return refusal('BAD_SIGNATURE', 'This secp256k1 signature is not valid for any key.')
    }
  }
  if (signature.type === 'p256') {
    const signed = signature.prehash ? sha256(digest) : digest
    return (await verifiesP256(signature, signed)) ? p256Address(signature) : badP256
  }
  return checkAssertion(digest, signature, expected)
}

async function checkAssertion(
  digest: Hex,
  signature: TempoWebAuthnSignature,
  expected: WebAuthnExpectation,
): Promise<Address | TempoSignatureRefusal> {
  const refused = judgeAssertion(digest, signature, expected)
  if (refused !== undefined) return refused
  const { authenticatorData, clientDataJSON } = signature
  const signed = sha256(concatHex([authenticatorData, sha256(stringToHex(clientDataJSON))]))
  return (await verifiesP256(signature, signed)) ? p256Address(signature) : badP256
}

/**
 * Loads the P-256 code on demand, because most wallets sign with secp256k1. A signer with a P-256 key calls this before it signs: if the
 * code is missing, the user is not asked for a signature that could not be verified.
 */
export const loadP256 = /* @__PURE__ */ loadModule(() => import('@noble/curves/nist.js'))

async function verifiesP256(
  signature: TempoP256Signature | TempoWebAuthnSignature,
  signed: Hex,
): Promise<boolean> {
  const { p256 } = await loadP256()
  const compact = hexToBytes(concatHex([signature.r, signature.s]))
  const key = hexToBytes(concatHex(['0x04', signature.x, signature.y]))
  // `verify` throws for a key that is not on the curve
  return attempt(() => p256.verify(compact, hexToBytes(signed), key, { lowS: true, prehash: false })) ?? false
}

const badP256 = refusal('BAD_SIGNATURE', 'The P-256 key in the signature did not sign this digest.')

/**
 * Returns whether an account signed a digest, with any of Tempo's four kinds of signatures. `checkTempoSignature` also returns the reason
 * for a refusal.
 *
 * @param options the options of `checkTempoSignature`; `client` is required for access keys only
 * @returns `false` for an invalid signature, malformed bytes included
 * @throws ChainReadError when the node does not respond; ModuleLoadError if the P-256 code cannot be loaded
 * @see TIP-1020
 * @example
 * ```ts
 * import { verifyTempoSignature } from 'redeemkit/tempo'
 * await verifyTempoSignature({
 *   account: '0xDb1cF7C2C5375aeA1B363BD4A67803c7F704051b',
 *   digest: '0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
 *   signature: `0x${'11'.repeat(64)}1b`,
 * }) // false
 * ```
 */
export async function verifyTempoSignature(options: verifyTempoSignature.Options): Promise<boolean> {
  return (await checkTempoSignature(options)).valid
}

export declare namespace verifyTempoSignature {
  type Options = checkTempoSignature.Options
  type ErrorType = checkTempoSignature.ErrorType
}
