import {
  AuthMessageExpiredError,
  AuthMessageMismatchError,
  InvalidAuthMessageError,
} from '../../core/authMessage.ts'
import { parseBase64 } from '../../core/base64.ts'
import type { AuthChallenge } from '../../core/chainAdapter.ts'
import type { Clock, InvalidClockError } from '../../core/clock.ts'
import {
  type InvalidAddressError,
  type InvalidOptionError,
  InvalidSignatureError,
} from '../../core/errors/inputErrors.ts'
import { findSignature, type InvalidMemoError, type parseTransaction } from '../envelope/envelope.ts'
import { networkOf, type StellarEnvironment } from '../networks.ts'
import { isSignedBy } from '../signer/askWallet.ts'
import { baseAddress, checkAddress } from '../values.ts'
import { checkChallenge } from './checkChallenge.ts'
import {
  type AuthExpectation,
  type ChallengeTerms,
  checkAuthMessage,
  expectField,
  messageDigest,
} from './parseAuthMessage.ts'

/**
 * Whether this address signed a sign-in: the text (SEP-53), or the challenge transaction (SEP-10).
 *
 * For text, only the signature is checked: the issuer must check that it issued the text and that it has not expired. A transaction
 * verifies only if it is this server's challenge for this wallet, host and time, and matches the text, if there is one. The function does
 * not read the ledger, so it does not detect that the account's key has lost its weight or that further signers are required.
 *
 * @param options.transaction the challenge as the server issued it, never a transaction that the client sent back
 * @returns false for another key, text, transaction or network, and for a transaction that is not this request's challenge
 * @throws `InvalidAuthMessageError`, `InvalidBase64Error`, `InvalidSignatureError`, `InvalidAddressError`, `InvalidTransactionError` for text
 * that cannot be a signature of a challenge; `InvalidOptionError`, `InvalidMemoError`
 * @see SEP-53, SEP-10; PROTOCOL.md 8.4
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
  const { message, transaction, signedMessage } = options
  const address = checkHolder(options.address)
  const signed = parseBase64(signedMessage, 'signedMessage')
  if (typeof message !== 'string' && (message !== undefined || transaction === undefined))
    throw new InvalidAuthMessageError('The message is missing.', {
      field: 'message',
      fix: 'Pass the text of the challenge.',
    })
  if (signed.length === 64 && message !== undefined)
    return isSignedBy(address, messageDigest(message), signed)
  if (transaction === undefined || signed.length < 128)
    throw new InvalidSignatureError(`A signature has 64 bytes, this one has ${signed.length}.`, {
      field: 'signedMessage',
      fix: 'Pass the whole signature, or the signed challenge transaction.',
    })
  // Without the server's pinned key, any transaction would pass as its challenge.
  checkAddress(options.serverKey, 'serverKey')
  const expected = { ...options, network, domains: options.domains as readonly string[] } // `checkChallenge` validates the options.
  const digest = hashOfChallenge(transaction, message, expected)
  const isBy = (key: string) =>
    digest !== undefined && findSignature(signedMessage, { network, digest, address: key }) !== undefined
  const { clientDomain } = options
  return isBy(address) && (clientDomain === undefined || isBy(clientDomain.key))
}

export declare namespace verifyAuthMessage {
  type Options = Omit<AuthChallenge, 'message'> &
    ChallengeTerms & {
      /** The sign-in text. Absent if a plain SEP-10 server sent only a challenge. */
      message?: string | undefined
      environment: StellarEnvironment
      /** The wallet, `G…`. A challenge transaction may also have a muxed account, `M…`. */
      address: string
      /** The wallet's answer: a base64 signature, or a signed challenge transaction. */
      signedMessage: string
      /** Allowed hosts (with port, if any). Required for a transaction, like `serverKey`. */
      domains?: readonly string[] | undefined
      /** The time to check at: an expired challenge transaction does not verify. Default: now. */
      now?: Clock | undefined
    }
  type ErrorType =
    | networkOf.ErrorType
    | InvalidAddressError
    | InvalidAuthMessageError
    | AuthMessageExpiredError
    | AuthMessageMismatchError
    | InvalidSignatureError
    | InvalidOptionError
    | InvalidMemoError
    | InvalidClockError
    | parseTransaction.ErrorType
}

/** A slow service may take a minute between the times of a challenge's text and its transaction. */
const maxApartMs = 60_000

/** Returns undefined if the transaction is not the challenge of this request. */
function hashOfChallenge(
  transactionXdr: string,
  message: string | undefined,
  expected: AuthExpectation,
): Uint8Array | undefined {
  try {
    const challenge = checkChallenge(transactionXdr, expected)
    const text = message && checkAuthMessage(message, { ...expected, allowPlainText: true })
    if (text) {
      const apart = Number(challenge.timeBounds?.minTime) * 1000 - text.issuedAt
      expectField(Math.abs(apart) <= maxApartMs, 'transaction.timeBounds', [true])
    }
    return challenge.hash()
  } catch (error) {
    if (
      error instanceof InvalidAuthMessageError ||
      error instanceof AuthMessageMismatchError ||
      error instanceof AuthMessageExpiredError
    )
      return undefined
    throw error
  }
}

/** Returns the `G…` account that signs for an address. */
function checkHolder(address: string): string {
  return checkAddress(typeof address === 'string' ? baseAddress(address) : address, 'address')
}
