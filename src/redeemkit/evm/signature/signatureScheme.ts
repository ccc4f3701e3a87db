import type { Address, Hex } from 'viem'
import { BaseError } from '../../core/errors/baseError.ts'
import { InvalidOptionError, type InvalidRecordError } from '../../core/errors/inputErrors.ts'
import type { EvmClient } from '../client.ts'
import { checkRecord } from '../values.ts'

/**
 * Verifies the signatures of chains that have more kinds of them than Ethereum. `tempoSignatures()` of `redeemkit/tempo` creates a
 * scheme, and the signers of `redeemkit/tempo` have one as a property.
 */
export type SignatureScheme = {
  /** The chains that have these signatures. The scheme is ignored on all others. */
  readonly chainIds: readonly number[]
  /** Whether the account made a signature. Reads the chain with `client` if the bytes alone cannot show it. */
  readonly verify: (question: SignatureQuestion & { client?: EvmClient | undefined }) => Promise<boolean>
  /** Verifies with the chain's own contracts, without loading a curve. `message` is the reason for a refusal, if known. */
  readonly verifyOnChain: (
    client: EvmClient,
    question: SignatureQuestion,
  ) => Promise<{ valid: boolean; message?: string | undefined }>
}

export type SignatureQuestion = { account: Address; digest: Hex; signature: Hex }

/** Returns the scheme if it covers this chain. */
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

/** The error for bytes on Tempo that may be a signature, but need a scheme that was not passed. */
export function schemeMissing(field: string): SignatureSchemeMissingError {
  return new SignatureSchemeMissingError(
    'The bytes are neither a key’s signature nor one that a contract account accepts.',
    {
      field,
      fix: "Pass signatures: tempoSignatures() from redeemkit/tempo, which verifies Tempo's passkeys and access keys.",
    },
  )
}

/** Bytes on Tempo that may be a signature by a passkey or an access key, without a scheme that could verify it. */
export class SignatureSchemeMissingError extends BaseError {
  override readonly name = 'SignatureSchemeMissingError'
}
