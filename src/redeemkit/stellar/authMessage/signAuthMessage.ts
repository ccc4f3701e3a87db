import {
  type AuthMessageExpiredError,
  type AuthMessageMismatchError,
  InvalidAuthMessageError,
} from '../../core/authMessage.ts'
import { formatBase64 } from '../../core/base64.ts'
import type { AuthChallenge, AuthExpectation, SignedAuth } from '../../core/chainAdapter.ts'
import type { InvalidClockError } from '../../core/clock.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { WrongSignerError } from '../../core/errors/walletErrors.ts'
import { type InvalidMemoError, type parseTransaction, signEnvelope } from '../envelope/envelope.ts'
import { networkOf, type StellarEnvironment } from '../networks.ts'
import { isUnsupported } from '../signer/askWallet.ts'
import { type StellarSigner, toSigner } from '../signer/toSigner.ts'
import { baseAddress, checkAddress } from '../values.ts'
import { checkChallenge } from './checkChallenge.ts'
import { type ChallengeTerms, checkAuthMessage, messageDigest } from './parseAuthMessage.ts'

/**
 * Signs in: signs the text (SEP-53) or, for a wallet that cannot sign text, the SEP-10 challenge transaction.
 *
 * Text and transaction are checked before the prompt, and the answer is verified. Text must have the service's sign-in layout (see
 * `parseAuthMessage`) unless `allowPlainText` is set; a transaction must pass `checkChallenge`.
 *
 * @returns for text, the base64 signature; for a transaction, the base64 XDR with the server's and the wallet's signatures
 * @throws `InvalidAuthMessageError`, `AuthMessageMismatchError`, `AuthMessageExpiredError`, `InvalidBase64Error`,
 * `InvalidTransactionError` before, `WrongNetworkError`, `WrongSignerError`, `WrongSignatureError`, `UserRejectedError`,
 * `InvalidSignatureError`, `WalletFailedError` at the wallet
 * @see SEP-53, SEP-10, SEP-43; PROTOCOL.md 8.4
 * @example
 * ```ts
 * import { signAuthMessage } from 'redeemkit/stellar'
 * import { Keypair } from '@stellar/stellar-sdk'
 * async function signIn({ message, transaction }: { message: string; transaction?: string }) {
 *   const domains = ['shop.example']
 *   return signAuthMessage(Keypair.random(), { message, transaction, environment: 'prod', domains })
 * }
 * ```
 */
export async function signAuthMessage(
  signer: StellarSigner,
  options: signAuthMessage.Options,
): Promise<SignedAuth> {
  const network = networkOf(options?.environment)
  const wallet = await toSigner(signer, network)
  const { message, transaction, via } = options
  checkAsked(options, wallet.address)
  const expected = { ...options, address: options.address ?? wallet.address, network }
  // A plain SEP-10 server sends a challenge without text.
  const isBare = message === undefined && transaction !== undefined && via !== 'message'
  const text = isBare ? undefined : checkAuthMessage(message ?? '', expected)
  const expiresAt = text === undefined ? {} : { expiresAt: Math.floor(text.expiresAt / 1000) }

  if (message !== undefined && via !== 'transaction' && (wallet.signsText || via === 'message')) {
    const signature = await wallet
      .sign('signMessage', message, messageDigest(message))
      .catch((error: unknown) => {
        // The wallet has `signMessage` but reports it as unsupported. The user has seen no prompt.
        if (via === undefined && transaction !== undefined && isUnsupported(error)) return undefined
        throw error
      })
    if (signature !== undefined) return { signedMessage: formatBase64(signature), ...expiresAt }
  }
  if (transaction === undefined)
    throw new InvalidAuthMessageError('The wallet cannot sign text, and the service sent no transaction.', {
      field: 'transaction',
      fix: 'Use a wallet with signMessage (SEP-43), or a service that sends a transaction.',
    })
  const challenge = checkChallenge(transaction, expected)
  return { signedMessage: await signEnvelope(wallet, challenge, network), ...expiresAt }
}

export declare namespace signAuthMessage {
  type Options = Omit<AuthChallenge, 'message'> &
    AuthExpectation &
    ChallengeTerms & {
      /** The sign-in text. Absent if a plain SEP-10 server sends only a challenge. */
      message?: string | undefined
      environment: StellarEnvironment
      /** The account of the requested challenge: `G…`, or `M…` for a muxed account. Default: the signer's. */
      address?: string | undefined
      /**
       * Whether to sign the text or the challenge transaction. Default: the text if the wallet supports `signMessage`, otherwise
       * the transaction.
       */
      via?: 'message' | 'transaction' | undefined
    }
  type ErrorType =
    | networkOf.ErrorType
    | toSigner.ErrorType
    | WrongSignerError
    | InvalidOptionError
    | InvalidAuthMessageError
    | AuthMessageMismatchError
    | AuthMessageExpiredError
    | InvalidMemoError
    | parseTransaction.ErrorType
    | InvalidClockError
}

function checkAsked({ address, via }: signAuthMessage.Options, own: string): void {
  if (address !== undefined && checkAddress(baseAddress(address), 'address') !== own)
    throw new WrongSignerError(`The wallet holds ${own}, not ${address}.`, {
      field: 'address',
      fix: 'Select that account in the wallet, or sign in with the selected one.',
    })
  if (via !== undefined && via !== 'message' && via !== 'transaction')
    throw new InvalidOptionError(`Option via must be "message" or "transaction", not ${showValue(via)}.`, {
      field: 'via',
      fix: 'Pass "message" or "transaction", or omit it.',
    })
}
