import { checkTempoSignature } from './checkTempoSignature.ts'

/**
 * Whether a signature of one of Tempo's four kinds is the account's over the digest. `checkTempoSignature` also says why
 * not.
 *
 * @param options as for `checkTempoSignature`; a `client` is needed for access keys only
 * @returns `false` for anything that is not valid, malformed bytes included
 * @throws {@link ChainReadError} when the node does not answer
 * @see TIP-1020
 * @example
 * ```ts
 * import { verifyTempoSignature } from 'redeemkit/evm'
 * await verifyTempoSignature({ account, digest, signature: permitCredits })
 * ```
 */
export async function verifyTempoSignature(options: verifyTempoSignature.Options): Promise<boolean> {
  return (await checkTempoSignature(options)).valid
}

export declare namespace verifyTempoSignature {
  type Options = checkTempoSignature.Options
}
