import type {
  UserRejectedError,
  WalletFailedError,
  WrongSignatureError,
} from '../../core/errors/walletErrors.ts'
import {
  addressOf,
  askWallet,
  type ChangedByWalletError,
  changedByWallet,
  checkSignature,
  isKitSigner,
  type KitSigner,
  type SolanaSigner,
  signWithKeypair,
  type WalletStandardSigner,
} from './solanaSigner.ts'

/** Creates a text signer from any supported wallet. It verifies that this address signed the same message. */
export function toMessageSigner(signer: SolanaSigner): toMessageSigner.ReturnType {
  const address = addressOf(signer)
  const ask = messageCall(signer, address)
  return {
    address,
    signMessage: ask && (async (bytes) => checkSignature(address, bytes, await askWallet(ask(bytes)))),
  }
}

export declare namespace toMessageSigner {
  type ReturnType = {
    address: string
    /** `undefined` if the wallet cannot sign text. */
    signMessage: ((message: Uint8Array) => Promise<Uint8Array>) | undefined
  }
  /** Errors that calling `signMessage` can throw. */
  type SignErrorType = UserRejectedError | WalletFailedError | ChangedByWalletError | WrongSignatureError
}

type MessageCall = (message: Uint8Array) => Promise<Uint8Array | undefined>

/** Returns a function that signs a message, if the signer can. The wallet gets a copy, because it may modify its input. */
function messageCall(signer: SolanaSigner, address: string): MessageCall | undefined {
  if ('account' in signer) return standardCall(signer)
  if (isKitSigner(signer)) return kitCall(signer, address)
  if ('secretKey' in signer) return async (bytes) => signWithKeypair(signer, bytes)
  return (
    signer.signMessage &&
    (async (bytes) => {
      const output = await signer.signMessage?.(Uint8Array.from(bytes))
      return output && 'signature' in output ? output.signature : output
    })
  )
}

function kitCall(signer: KitSigner, address: string): MessageCall | undefined {
  if (!signer.signMessages && !signer.modifyAndSignMessages) return undefined
  return async (bytes) => {
    // Typed `never` so that kit's own types are assignable; the value is kit's `SignableMessage`.
    const messages = [{ content: Uint8Array.from(bytes), signatures: {} }] as never
    if (signer.signMessages) return (await signer.signMessages(messages))[0]?.[address]
    const [output] = (await signer.modifyAndSignMessages?.(messages)) ?? []
    if (output === undefined || Uint8Array.from(output.content).join() !== bytes.join())
      throw changedByWallet()
    return output.signatures[address]
  }
}

function standardCall({ account, features }: WalletStandardSigner): MessageCall | undefined {
  const { 'solana:signMessage': feature } = features
  return (
    feature &&
    (async (bytes) => {
      const [output] = await feature.signMessage({
        // The wallet declares its own account type. This account object came from the wallet.
        account: account as never,
        message: Uint8Array.from(bytes),
      })
      if ((output?.signedMessage ?? bytes).join() !== bytes.join()) throw changedByWallet()
      return output?.signature
    })
  )
}
