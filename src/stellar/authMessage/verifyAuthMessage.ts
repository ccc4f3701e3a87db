import { InvalidAuthMessageError } from '../../core/authMessage/authMessageErrors.ts'
import type { AuthChallenge } from '../../core/chainAdapter.ts'
import { type InvalidAddressError, InvalidSignatureError } from '../../core/errors/inputErrors.ts'
import { parseBase64 } from '../encoding/parseBase64.ts'
import { findSignature } from '../envelope/findSignature.ts'
import { parseTransaction } from '../envelope/parseTransaction.ts'
import { networkOf, type StellarEnvironment } from '../networks.ts'
import { checkAddress } from '../signer/checkAddress.ts'
import { isSignedBy } from '../signer/isSignedBy.ts'
import { messageDigest } from './messageDigest.ts'

/**
 * Whether a sign-in was signed by this address: the text by SEP-53, or the challenge transaction.
 *
 * Looks at the signature alone; whether the challenge is current and was issued is the issuer's to know.
 *
 * @returns false for a signature by another key, over another text, or for another network
 * @throws `InvalidAuthMessageError`, `InvalidBase64Error`, `InvalidSignatureError`, `InvalidAddressError`, `InvalidTransactionError` for what
 * cannot be a signature of a challenge at all
 * @example
 * ```ts
 * import { verifyAuthMessage } from 'redeemkit/stellar'
 * verifyAuthMessage({
 *   environment: 'prod',
 *   address: 'GBXFXNDLV4LSWA4VB7YIL5GBD7BVNR22SGBTDKMO2SBZZHDXSKZYCP7L',
 *   message: 'Hello, World!',
 *   signedMessage: 'fO5dbYhXUhBMhe6kId/cuVq/AfEnHRHEvsP8vXh03M1uLpi5e46yO2Q8rEBzu3feXQewcQE5GArp88u6ePK6BA==',
 * }) // true
 * ```
 */
export function verifyAuthMessage(options: verifyAuthMessage.Options): boolean {
  const network = networkOf(options?.environment)
  const address = checkAddress(options.address, 'address')
  const signed = parseBase64(options.signedMessage, 'signedMessage')
  if (
    typeof options.message !== 'string' &&
    (options.message !== undefined || options.transaction === undefined)
  )
    throw new InvalidAuthMessageError('There is no message that could have been signed.', {
      field: 'message',
      fix: 'Give the text of the challenge.',
    })
  if (signed.length === 64 && options.message !== undefined)
    return isSignedBy(address, messageDigest(options.message), signed)
  if (options.transaction === undefined || signed.length < 128)
    throw new InvalidSignatureError(`A signature has 64 bytes, this one has ${signed.length}.`, {
      field: 'signedMessage',
      fix: 'Give the whole signature, or the signed challenge transaction.',
    })
  const digest = parseTransaction(options.transaction, network).transaction.hash()
  return findSignature(options.signedMessage, { network, digest, address }) !== undefined
}

export declare namespace verifyAuthMessage {
  type Options = Omit<AuthChallenge, 'message'> & {
    /** Absent when a server of plain SEP-10 sent a challenge alone. */
    message?: string | undefined
    environment: StellarEnvironment
    /** The wallet, `G…`. */
    address: string
    /** What the wallet returned: a base64 signature, or a signed challenge transaction. */
    signedMessage: string
  }
  type ErrorType =
    | networkOf.ErrorType
    | InvalidAddressError
    | InvalidAuthMessageError
    | InvalidSignatureError
    | parseTransaction.ErrorType
}
