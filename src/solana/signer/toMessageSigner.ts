import type { UserRejectedError, WalletFailedError } from '../../core/errors/walletErrors.ts'
import { addressOf } from './addressOf.ts'
import { askWallet } from './askWallet.ts'
import { type ChangedByWalletError, changedByWallet } from './changedByWallet.ts'
import { checkSignature } from './checkSignature.ts'
import { signWithKeypair } from './signWithKeypair.ts'
import type { SolanaSigner, WalletStandardSigner } from './solanaSigner.ts'

/**
 * What signs a text with a web3.js `Keypair`, a wallet adapter or a Wallet Standard wallet. What a wallet
 * gives back is checked: the same message, and a signature by this address.
 *
 * @throws {@link WrongSignerError} for a wallet without an account; {@link InvalidAddressError}
 */
export function toMessageSigner(signer: SolanaSigner): toMessageSigner.ReturnType {
  const address = addressOf(signer)
  const ask = messageCall(signer)
  return {
    address,
    signMessage: ask && (async (bytes) => checkSignature(address, bytes, await askWallet(ask(bytes)))),
  }
}

export declare namespace toMessageSigner {
  type ReturnType = {
    address: string
    /** Returns the signature, which has been verified. Missing in a wallet that cannot sign text. */
    signMessage: MessageCall | undefined
  }
  type ErrorType = addressOf.ErrorType
  /** Of `signMessage` itself. */
  type SignErrorType = UserRejectedError | WalletFailedError | ChangedByWalletError | checkSignature.ErrorType
}

type MessageCall = (message: Uint8Array) => Promise<Uint8Array>

/** How this wallet is asked. What it is handed is a copy: a wallet may write into it. */
function messageCall(signer: SolanaSigner): MessageCall | undefined {
  if ('account' in signer) return standardCall(signer)
  if ('secretKey' in signer) return async (bytes) => signWithKeypair(signer, bytes)
  return (
    signer.signMessage &&
    (async (bytes) => {
      const output = await signer.signMessage?.(Uint8Array.from(bytes))
      return output && 'signature' in output ? output.signature : (output ?? new Uint8Array())
    })
  )
}

function standardCall({ account, features }: WalletStandardSigner): MessageCall | undefined {
  const { 'solana:signMessage': feature } = features
  return (
    feature &&
    (async (bytes) => {
      const [output] = await feature.signMessage({
        // The wallet declares its own account type; this account is the one that came from it.
        account: account as never,
        message: Uint8Array.from(bytes),
      })
      const signed = output?.signedMessage ?? bytes
      if (signed.length !== bytes.length || signed.some((byte, i) => byte !== bytes[i]))
        throw changedByWallet()
      return output?.signature ?? new Uint8Array()
    })
  )
}
