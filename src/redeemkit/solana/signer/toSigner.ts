import type { SolanaSigner } from './solanaSigner.ts'
import { toMessageSigner } from './toMessageSigner.ts'
import { toTransactionSigner } from './toTransactionSigner.ts'

/**
 * Makes one kind of signer of a web3.js `Keypair`, a wallet adapter and a Wallet Standard wallet: what signs
 * messages and what signs transactions, for a sign-in, which may need either.
 *
 * @throws {@link WrongSignerError} for a wallet without an account; {@link InvalidAddressError}
 */
export function toSigner(
  signer: SolanaSigner,
  options: toTransactionSigner.Options = {},
): toMessageSigner.ReturnType & toTransactionSigner.ReturnType {
  return { ...toMessageSigner(signer), ...toTransactionSigner(signer, options) }
}

export declare namespace toSigner {
  type ErrorType = toMessageSigner.ErrorType | toTransactionSigner.ErrorType
  /** Of the signer's own functions. */
  type SignErrorType = toMessageSigner.SignErrorType | toTransactionSigner.SignErrorType
}
