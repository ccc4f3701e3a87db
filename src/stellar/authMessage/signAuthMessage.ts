import type { AuthChallenge, SignedAuth } from '../../core/chainAdapter.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { Clock } from '../../core/time/clock.ts'
import { InvalidOptionError } from '../checkOptions.ts'
import { formatBase64 } from '../encoding/formatBase64.ts'
import { networkOf, type StellarEnvironment } from '../networks.ts'
import { checkAddress } from '../signer/checkAddress.ts'
import { isUnsupported, type StellarSigner, toSigner, WrongSignerError } from '../signer/toSigner.ts'
import { findSignature } from '../transaction/findSignature.ts'
import { checkAuthMessage } from './checkAuthMessage.ts'
import { checkChallenge } from './checkChallenge.ts'
import { messageDigest } from './messageDigest.ts'
import { InvalidAuthMessageError } from './parseAuthMessage.ts'

/**
 * Signs in: the text by SEP-53, or, for a wallet that signs no text, the SEP-10 challenge transaction.
 *
 * Everything is checked before the wallet is asked, and what it answers is verified after. A text must be the service's
 * sign-in layout (see {@link parseAuthMessage}) unless `allowPlainText`; a transaction must be provably harmless.
 *
 * @returns for a text the base64 signature, for a transaction the base64 XDR with both signatures
 * @throws `InvalidAuthMessageError`, `InvalidBase64Error`, `InvalidTransactionError` before, `WrongNetworkError`,
 * `WrongSignerError`, `UserRejectedError`, `InvalidSignatureError`, `WalletError` at the wallet
 * @see SEP-53, SEP-10, SEP-43; decisions, section 8
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
  if (options.address !== undefined && checkAddress(options.address, 'address') !== wallet.address)
    throw new WrongSignerError(`The wallet holds ${wallet.address}, not ${options.address}.`, {
      field: 'address',
      fix: 'Select that account in the wallet, or sign in with the one that is selected.',
    })
  const expected = { ...options, address: wallet.address, network }
  const { message, via } = options
  if (via !== undefined && via !== 'message' && via !== 'transaction')
    throw new InvalidOptionError(`via is ${showValue(via)}.`, {
      field: 'via',
      fix: 'Say "message" or "transaction", or leave it out.',
    })
  // A server of plain SEP-10 sends a challenge and no text.
  const isBare = message === undefined && options.transaction !== undefined && via !== 'message'
  const text = isBare ? undefined : checkAuthMessage(message ?? '', expected)
  const expiresAt = text === undefined ? {} : { expiresAt: Math.floor(text.expiresAt / 1000) }

  if (message !== undefined && via !== 'transaction' && (wallet.signsText || via === 'message')) {
    const signature = await wallet.signMessage(message, messageDigest(message)).catch((error: unknown) => {
      // A wallet that has the method and says that it cannot: the user has not been asked.
      if (via === undefined && options.transaction !== undefined && isUnsupported(error)) return undefined
      throw error
    })
    if (signature !== undefined) return { signedMessage: formatBase64(signature), ...expiresAt }
  }
  if (options.transaction === undefined)
    throw new InvalidAuthMessageError('The wallet signs no text, and the service sent no transaction.', {
      field: 'transaction',
      fix: 'Use a wallet with signMessage (SEP-43), or a service that sends a challenge transaction.',
    })
  const challenge = checkChallenge(options.transaction, expected)
  const digest = challenge.hash()
  const signature = await wallet.signTransaction(options.transaction, digest, (signed) =>
    findSignature(signed, { network, digest, address: wallet.address }),
  )
  challenge.addSignature(wallet.address, formatBase64(signature))
  return { signedMessage: challenge.toXDR(), ...expiresAt }
}

export declare namespace signAuthMessage {
  type Options = Omit<AuthChallenge, 'message'> & {
    /** Absent when a server of plain SEP-10 sends a challenge alone. */
    message?: string | undefined
    environment: StellarEnvironment
    /** The wallet that the challenge was asked for. Default: the signer's. */
    address?: string | undefined
    /** Hosts (with port, when there is one) that may stand in the challenge: the service's own, or the page's. */
    domains: readonly string[]
    /** Signs a text that is no sign-in layout at all. Default false. */
    allowPlainText?: boolean | undefined
    /** The service's signing key, when it is known (`SIGNING_KEY` of its stellar.toml). */
    serverKey?: string | undefined
    /** Which of the two to sign. Default: the text, when the wallet has `signMessage` and does not say that it cannot. */
    via?: 'message' | 'transaction' | undefined
    now?: Clock | undefined
  }
}
