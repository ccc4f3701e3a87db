import { WrongSignatureError } from '../../core/errors/walletErrors.ts'
import { isSignedBy } from '../transaction/isSignedBy.ts'

/**
 * Returns a wallet's signature of a message, once it is proven to be this address's.
 *
 * @throws {@link WrongSignatureError}
 */
export function checkSignature(address: string, message: Uint8Array, answer: Uint8Array): Uint8Array {
  // The verifier would take hex text too, which no caller can use.
  const signature = ArrayBuffer.isView(answer) ? Uint8Array.from(answer) : new Uint8Array()
  if (isSignedBy(address, message, signature)) return signature
  throw new WrongSignatureError(`The wallet answered with a signature that is not ${address}'s.`, {
    field: 'signature',
    fix: 'Choose that account in the wallet, and sign again.',
  })
}

export declare namespace checkSignature {
  type ErrorType = WrongSignatureError
}
