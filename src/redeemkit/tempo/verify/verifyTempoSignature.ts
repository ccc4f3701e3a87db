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
