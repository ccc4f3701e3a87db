import type {
  AuthMessageExpiredError,
  AuthMessageMismatchError,
  InvalidAuthMessageError,
} from '../../core/authMessage.ts'
import type { Environment } from '../../core/blockchains.ts'
import type { AuthChallenge, AuthExpectation, SignedAuth } from '../../core/chainAdapter.ts'
import type { InvalidClockError } from '../../core/clock.ts'
import type {
  InvalidOptionError,
  InvalidTransactionError,
  UnknownNetworkError,
} from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { type WrongNetworkError, WrongSignerError } from '../../core/errors/walletErrors.ts'
import { checkChoice, checkOptions } from '../checkOptions.ts'
import { formatBase58, type InvalidBase58Error, parseBase58 } from '../encoding.ts'
import { networkOf } from '../networks.ts'
import type { addressOf, SolanaSigner } from '../signer/solanaSigner.ts'
import { toMessageSigner } from '../signer/toMessageSigner.ts'
import { toTransactionSigner } from '../signer/toTransactionSigner.ts'
import { encodeTransaction, parseTransaction } from '../transaction/parseTransaction.ts'
import { checkAuthMessage, checkAuthTransaction } from './parseAuthMessage.ts'

/**
 * Checks the service's sign-in message, then asks the wallet for an ed25519 signature of its bytes. A wallet
 * that cannot sign text (a hardware wallet) signs the challenge's transaction instead, which is first checked
 * to have no effect.
 *
 * The function chooses between text and transaction before the prompt, so a rejection is never followed by a second prompt.
 *
 * @returns base58: the 64-byte signature, or the whole signed transaction. A credential: never log it
 * @throws {@link InvalidAuthMessageError} {@link AuthMessageMismatchError} {@link AuthMessageExpiredError}
 *   {@link WrongNetworkError} {@link UnknownNetworkError} {@link InvalidTransactionError}
 *   {@link InvalidBase58Error} {@link InvalidAddressError} {@link WrongSignerError}
 *   {@link InvalidOptionError} {@link InvalidClockError}, all before any prompt; {@link UserRejectedError} {@link WalletFailedError}
 *   {@link ChangedByWalletError} {@link WrongSignatureError} after it
 * @example
 * ```ts
 * import { signAuthMessage, type SolanaSigner } from 'redeemkit/solana'
 *
 * declare const wallet: SolanaSigner
 * declare const message: string // from GET /api/auth
 * const { signedMessage } = await signAuthMessage(wallet, {
 *   message,
 *   environment: 'sandbox',
 *   domains: ['shop.example'],
 * })
 * ```
 */
export async function signAuthMessage(
  signer: SolanaSigner,
  options: signAuthMessage.Options,
): Promise<SignedAuth> {
  const { message, transaction, environment, use } = checkOptions(options)
  checkChoice('use', use, ['message', 'transaction'])
  const { address, signMessage } = toMessageSigner(signer)
  const { signTransaction } = toTransactionSigner(signer, { chain: networkOf(environment).chainIds[0] })
  if (options.address !== undefined && options.address !== address)
    throw new WrongSignerError(`The signer is ${address}, not ${showValue(options.address)}.`, {
      field: 'address',
      fix: `Select ${showValue(options.address)} in the wallet.`,
    })
  const expiresAt = checkAuthMessage({ ...options, address })
  if (use !== 'transaction' && signMessage !== undefined)
    return { signedMessage: formatBase58(await signMessage(new TextEncoder().encode(message))), expiresAt }
  if (use === 'message' || signTransaction === undefined || transaction === undefined)
    throw new WrongSignerError('The wallet cannot sign what the service sent.', {
      field: transaction === undefined ? 'transaction' : 'signer',
      fix: 'Use a wallet that signs messages, or a service that also offers a sign-in transaction.',
    })
  const parsed = parseTransaction(parseBase58(transaction, { field: 'transaction' }))
  checkAuthTransaction(parsed, { address, message })
  return { signedMessage: formatBase58(await signTransaction(encodeTransaction(parsed))), expiresAt }
}

export declare namespace signAuthMessage {
  type Options = AuthChallenge &
    AuthExpectation & {
      environment: Environment
      /** The wallet address to sign in with. */
      address?: string | undefined
      /**
       * `transaction`: for a hardware wallet that is connected through a wallet that offers both. Default: the message, if the wallet can
       * sign it.
       */
      use?: 'message' | 'transaction' | undefined
    }
  type ErrorType =
    | InvalidAuthMessageError
    | AuthMessageMismatchError
    | AuthMessageExpiredError
    | WrongNetworkError
    | UnknownNetworkError
    | InvalidClockError
    | addressOf.ErrorType
    | toMessageSigner.SignErrorType
    | toTransactionSigner.SignErrorType
    | InvalidBase58Error
    | InvalidOptionError
    | InvalidTransactionError
}
