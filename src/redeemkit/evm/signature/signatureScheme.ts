import type { Address, Hex } from 'viem'
import { BaseError } from '../../core/errors/baseError.ts'
import { InvalidOptionError, type InvalidRecordError } from '../../core/errors/inputErrors.ts'
import type { EvmClient } from '../client.ts'
import { checkRecord } from '../values.ts'

/**
 * Verifies signature types that Ethereum does not have. `tempoSignatures()` of `redeemkit/tempo` creates a scheme, and the signers of
 * `redeemkit/tempo` have one as a property.
 */
export type SignatureScheme = {
  /** The chains that have these signature types. redeemkit ignores the scheme on other chains. */
  readonly chainIds: readonly number[]
  /** Returns whether the account made the signature. Reads the chain with `client` if the bytes alone are not enough. */
  readonly verify: (question: SignatureQuestion & { client?: EvmClient | undefined }) => Promise<boolean>
  /** Verifies with the chain's own contracts, without elliptic-curve code. `message` is the reason for a refusal, if known. */
  readonly verifyOnChain: (
    client: EvmClient,
    question: SignatureQuestion,
  ) => Promise<{ valid: boolean; message?: string | undefined }>
}

export type SignatureQuestion = { account: Address; digest: Hex; signature: Hex }

export function schemeOn(
  chainId: number | undefined,
  scheme: SignatureScheme | undefined,
): SignatureScheme | undefined {
  if (scheme !== undefined && !Array.isArray(checkRecord(scheme, 'signatures').chainIds))
    throw new InvalidOptionError('signatures has no list of chain ids.', {
      field: 'signatures',
      fix: 'Pass the result of tempoSignatures() from redeemkit/tempo.',
    })
  return scheme?.chainIds.some((one) => one === chainId) ? scheme : undefined
}

export declare namespace schemeOn {
  type ErrorType = InvalidOptionError | InvalidRecordError
}

/** Creates the error for bytes on Tempo that only a scheme could verify, if the caller passed none. */
export function schemeMissing(field: string): SignatureSchemeMissingError {
  return new SignatureSchemeMissingError(
    'The bytes are not a signature by a key, nor by a contract account.',
    {
      field,
      fix: "Pass signatures: tempoSignatures() from redeemkit/tempo, which verifies Tempo's passkeys and access keys.",
    },
  )
}

/** The bytes may be a Tempo signature by a passkey or an access key, but no scheme was passed that could verify them. */
export class SignatureSchemeMissingError extends BaseError {
  override readonly name = 'SignatureSchemeMissingError'
}
