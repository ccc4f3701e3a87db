import { InvalidAuthMessageError } from '../../core/authMessage.ts'
import type { AuthChallenge } from '../../core/chainAdapter.ts'
import {
  type InvalidAddressError,
  type InvalidOptionError,
  InvalidSignatureError,
  type InvalidTransactionError,
} from '../../core/errors/inputErrors.ts'
import { type AddressLike, parseAddress } from '../address.ts'
import { checkOptions, invalidOption } from '../checkOptions.ts'
import { type InvalidBase58Error, parseBase58 } from '../encoding.ts'
import { isSignedBy } from '../transaction/isSignedBy.ts'
import { parseTransaction } from '../transaction/parseTransaction.ts'
import { checkAuthTransaction } from './parseAuthMessage.ts'

/**
 * Whether `signedMessage` is this wallet's answer to a challenge: its signature of the message, or of a harmless transaction with the
 * message as its memo. The caller must also check the expiry, and that each message is used once.
 *
 * @param options.signedMessage base58 of 64 bytes (a signature), or of a whole signed transaction
 * @returns `false` if another key signed, or if the signed text differs
 * @throws {@link InvalidSignatureError} {@link InvalidBase58Error} {@link InvalidTransactionError} for data
 *   that can be neither; {@link InvalidOptionError} without a message; {@link InvalidAddressError}
 * @example
 * ```ts
 * import { verifyAuthMessage } from 'redeemkit/solana'
 *
 * declare const [address, message, signedMessage]: [string, string, string]
 * const isTheirs = await verifyAuthMessage({ address, message, signedMessage })
 * ```
 */
export async function verifyAuthMessage(options: verifyAuthMessage.Options): Promise<boolean> {
  const { message, transaction } = checkOptions(options)
  // `TextEncoder` encodes `undefined` as empty text, which is not a sign-in.
  if (typeof message !== 'string' || message === '')
    throw invalidOption('message', message, 'Pass the text that the service sent.')
  const address = parseAddress(options.address, { field: 'address' })
  const bytes = parseBase58(options.signedMessage, { field: 'signedMessage' })
  if (bytes.length === 64) return isSignedBy(address, new TextEncoder().encode(message), bytes)
  if (bytes.length < 100)
    throw new InvalidSignatureError(`The signature has ${bytes.length} bytes, not 64.`, {
      field: 'signedMessage',
      fix: 'Pass the whole signature in base58. This one may be cut off.',
    })
  const parsed = parseTransaction(bytes)
  const challenge =
    transaction === undefined ? parsed : parseTransaction(parseBase58(transaction, { field: 'transaction' }))
  try {
    checkAuthTransaction(parsed, { address, message })
  } catch (error) {
    if (error instanceof InvalidAuthMessageError) return false
    throw error
  }
  return (
    challenge.message.join() === parsed.message.join() &&
    isSignedBy(address, parsed.message, parsed.signatures[0] ?? bytes)
  )
}

export declare namespace verifyAuthMessage {
  type Options = AuthChallenge & {
    address: AddressLike
    signedMessage: string
  }
  type ErrorType =
    | InvalidSignatureError
    | InvalidBase58Error
    | InvalidTransactionError
    | InvalidAddressError
    | InvalidOptionError
}
