import type { Address, Hex } from 'viem'
import type { BaseError } from '../../core/errors/baseError.ts'
import { parseTempoSignature, type TempoSignature } from './tempoSignature.ts'

/** An access key as the account keychain stores it. */
export type AccessKey = {
  keyId: Address
  kind: 'secp256k1' | 'p256' | 'webAuthn'
  /** Unix seconds at which the key expires. */
  expiry: bigint
  /** Whether the account limited what the key may spend or call (TIP-1011). */
  limited: boolean
  revoked: boolean
}

/** Why a signature was refused. */
export type TempoSignatureProblem =
  | 'MALFORMED_SIGNATURE'
  | 'WRONG_ACCOUNT'
  | 'BAD_SIGNATURE'
  | 'WRONG_CEREMONY'
  | 'WRONG_CHALLENGE'
  | 'WRONG_ORIGIN'
  | 'WRONG_RP_ID'
  | 'CROSS_ORIGIN'
  | 'USER_NOT_PRESENT'
  | 'USER_NOT_VERIFIED'
  | 'WRONG_BACKUP_FLAGS'
  | 'ACCESS_KEY_UNCHECKED'
  | 'ACCESS_KEY_UNKNOWN'
  | 'ACCESS_KEY_REVOKED'
  | 'ACCESS_KEY_EXPIRED'
  | 'ACCESS_KEY_LIMITED'

/** Why a signature was refused: a code, and the reason in one sentence. */
export type TempoSignatureRefusal = { valid: false; problem: TempoSignatureProblem; message: string }

/** The result of a check: the signer of a valid signature, or a refusal. */
export type TempoSignatureCheck =
  | {
      valid: true
      kind: TempoSignature['type']
      /** The signer: the account itself, or the access key. */
      signer: Address
      /** The access key that signed, as the chain stores it. Absent if the account itself signed. */
      accessKey?: AccessKey | undefined
    }
  | TempoSignatureRefusal

export function refusal(problem: TempoSignatureProblem, message: string): TempoSignatureRefusal {
  return { valid: false, problem, message }
}

export function unreadable(error: unknown): TempoSignatureRefusal {
  // parsers throw only redeemkit errors
  return refusal('MALFORMED_SIGNATURE', (error as BaseError).shortMessage)
}

export function readSignature(signature: Hex): TempoSignature | TempoSignatureRefusal {
  try {
    return parseTempoSignature(signature)
  } catch (error) {
    return unreadable(error)
  }
}

export function wrongAccount(named: Address, account: Address): TempoSignatureRefusal {
  return refusal('WRONG_ACCOUNT', `The signature is by ${named}, not by ${account}.`)
}
