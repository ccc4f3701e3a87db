import type { Address, Hex } from 'viem'

/** A plain Ethereum signature: 65 bytes `r ‖ s ‖ v` without a type byte. */
export type TempoSecp256k1Signature = { type: 'secp256k1'; r: Hex; s: Hex; v: 27 | 28 }

/** `0x01 ‖ r ‖ s ‖ x ‖ y ‖ prehash`: a P-256 key signed the digest, or its SHA-256 when `prehash`. */
export type TempoP256Signature = { type: 'p256'; r: Hex; s: Hex; x: Hex; y: Hex; prehash: boolean }

/** `0x02 ‖ authenticatorData ‖ clientDataJSON ‖ r ‖ s ‖ x ‖ y`: a passkey's assertion with the digest as its challenge. */
export type TempoWebAuthnSignature = {
  type: 'webAuthn'
  r: Hex
  s: Hex
  x: Hex
  y: Hex
  /** Exactly 37 bytes: SHA-256 of the relying party's id, flags, counter. */
  authenticatorData: Hex
  /** The text as the browser wrote it. Its bytes are what is signed: never written anew. */
  clientDataJSON: string
}

/** What a single key signs. */
export type TempoPrimitiveSignature = TempoSecp256k1Signature | TempoP256Signature | TempoWebAuthnSignature

/** `0x04 ‖ account ‖ inner`: an access key signed for an account, over `keccak256(0x04 ‖ digest ‖ account)`. */
export type TempoKeychainSignature = {
  type: 'keychain'
  version: 2
  /** The account that the signature claims to act for: `userAddress` in Tempo's documents. */
  account: Address
  inner: TempoPrimitiveSignature
}

export type TempoSignature = TempoPrimitiveSignature | TempoKeychainSignature
