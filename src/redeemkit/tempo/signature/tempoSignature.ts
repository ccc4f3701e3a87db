import type { Address, Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import { checkHex, type InvalidHexError } from '../../evm/values.ts'
import { concatHex, getAddress, keccak256, slice } from '../../evm/viem.ts'

/** A plain Ethereum signature: 65 bytes `r ‖ s ‖ v` without a type byte. */
type TempoSecp256k1Signature = { type: 'secp256k1'; r: Hex; s: Hex; v: 27 | 28 }

/** `0x01 ‖ r ‖ s ‖ x ‖ y ‖ prehash`: a P-256 key signed the digest, or the SHA-256 of the digest if `prehash` is set. */
export type TempoP256Signature = { type: 'p256'; r: Hex; s: Hex; x: Hex; y: Hex; prehash: boolean }

/** `0x02 ‖ authenticatorData ‖ clientDataJSON ‖ r ‖ s ‖ x ‖ y`: a passkey's assertion with the digest as its challenge. */
export type TempoWebAuthnSignature = {
  type: 'webAuthn'
  r: Hex
  s: Hex
  x: Hex
  y: Hex
  /** Exactly 37 bytes: SHA-256 of the relying party id, flags and counter. */
  authenticatorData: Hex
  /** The text exactly as the browser wrote it, because the passkey signs these bytes. */
  clientDataJSON: string
}

/** A signature by a single key. */
export type TempoPrimitiveSignature = TempoSecp256k1Signature | TempoP256Signature | TempoWebAuthnSignature

/** `0x04 ‖ account ‖ inner`: an access key signed `keccak256(0x04 ‖ digest ‖ account)` for an account. */
type TempoKeychainSignature = {
  type: 'keychain'
  version: 2
  /** The account that the signature claims to act for: `userAddress` in Tempo's documents. */
  account: Address
  inner: TempoPrimitiveSignature
}

export type TempoSignature = TempoPrimitiveSignature | TempoKeychainSignature

/** Order of P-256 (FIPS 186-5). */
export const p256Order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** Returns the account of a P-256 public key, whose coordinates have 32 bytes each (Tempo Transactions, "Address derivation"). */
export function p256Address(key: { x: Hex; y: Hex }): Address {
  return getAddress(slice(keccak256(concatHex([key.x, key.y])), 12))
}

/**
 * Returns the digest that an access key signs in place of `digest`: `keccak256(0x04 ‖ digest ‖ account)`. Because it contains the
 * account, the signature is invalid for any other account with the same access key.
 *
 * @param options.digest 32 bytes: the digest that the account itself would sign
 * @param options.account the account that the access key acts for
 * @throws {@link InvalidHexError}, {@link InvalidAddressError}
 * @see Tempo Transactions, "Keychain V2"
 * @example
 * ```ts
 * import { keychainDigest } from 'redeemkit/tempo'
 * keychainDigest({
 *   digest: '0x3caf17f85e96e489a081eab08cdc14794d8725d4356ef252fc98de3c65e03225',
 *   account: '0x480F8659821A7a5f6209cDA338A53E9Dea09DB46',
 * })
 * ```
 */
export function keychainDigest(options: keychainDigest.Options): Hex {
  checkOptions(options, { digest: 'any', account: 'any' })
  const digest = checkHex(options.digest, 'digest', { bytes: 32 })
  const account = checkAddress(options.account, 'account')
  return keccak256(`0x04${digest.slice(2)}${account.slice(2)}`)
}

export declare namespace keychainDigest {
  type Options = { digest: Hex; account: Address }
  type ErrorType = checkOptions.ErrorType | InvalidAddressError | InvalidHexError
}
