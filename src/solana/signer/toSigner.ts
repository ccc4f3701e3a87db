import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import {
  type UserRejectedError,
  WalletFailedError,
  WrongSignatureError,
  WrongSignerError,
} from '../../core/errors/walletErrors.ts'
import { parseAddress } from '../address/parseAddress.ts'
import { encodeTransaction } from '../transaction/encodeTransaction.ts'
import { isSignedBy } from '../transaction/isSignedBy.ts'
import { type ParsedTransaction, parseTransaction } from '../transaction/parseTransaction.ts'
import { readTransaction, type TransactionLike } from '../transaction/readTransaction.ts'
import { askWallet } from './askWallet.ts'
import { type ChangedByWalletError, changedByWallet } from './changedByWallet.ts'
import type { SolanaSigner } from './solanaSigner.ts'
import { walletCalls } from './walletCalls.ts'

/** A wallet as sign-in and transfers use it. A missing member is a thing that the wallet cannot do. */
export type Signer = {
  address: string
  /** Returns the signature, which has been verified. */
  signMessage: ((message: Uint8Array) => Promise<Uint8Array>) | undefined
  /** Adds this wallet's signature to a transaction, which comes back otherwise unchanged. */
  signTransaction: ((transaction: Uint8Array) => Promise<Uint8Array>) | undefined
}

/**
 * Makes one kind of signer of a web3.js `Keypair`, a wallet adapter and a Wallet Standard wallet. What a
 * wallet gives back is checked: the same message, and a signature by this address.
 *
 * @param options.chain passed to Wallet Standard wallets: `solana:mainnet` or `solana:devnet`
 * @throws {@link WrongSignerError} when no account is connected
 */
export function toSigner(
  signer: SolanaSigner,
  options: { chain?: `solana:${string}` | undefined } = {},
): Signer {
  const isStandard = typeof signer === 'object' && signer !== null && 'account' in signer
  const publicKey = isStandard ? signer.features && signer.account?.address : signer?.publicKey
  if (publicKey === null || publicKey === undefined)
    throw new WrongSignerError('The wallet has no account.', {
      field: 'signer',
      fix: 'Connect the wallet first.',
    })
  const address = parseAddress(publicKey, { field: 'signer.publicKey' })
  const { signMessage, signTransaction } = walletCalls(signer, address, options.chain)
  return {
    address,
    signMessage:
      signMessage && (async (bytes) => checkSignature(address, bytes, await askWallet(signMessage(bytes)))),
    signTransaction:
      signTransaction &&
      (async (bytes) => {
        const before = parseTransaction(bytes)
        const signers = before.keys.slice(0, before.signers)
        const own = signers.indexOf(address)
        if (own < 0)
          throw new WrongSignerError(`The transaction needs no signature of ${address}.`, {
            field: 'signer',
            fix: `Sign with one of ${signers.join(', ')}.`,
          })
        const { message, signatures } = readAnswer(await askWallet(signTransaction(bytes)))
        if (message.join() !== before.message.join()) throw changedByWallet()
        const signature = checkSignature(address, message, signatures[own] ?? new Uint8Array())
        return encodeTransaction({
          signatures: before.signatures.map((other, index) => (index === own ? signature : other)),
          message,
        })
      }),
  }
}

export declare namespace toSigner {
  type ErrorType = WrongSignerError | InvalidAddressError
  /** What asking it to sign can throw. */
  type SignErrorType =
    | UserRejectedError
    | WalletFailedError
    | ChangedByWalletError
    | WrongSignatureError
    | WrongSignerError
}

function checkSignature(address: string, message: Uint8Array, answer: Uint8Array): Uint8Array {
  // The verifier would take hex text too, which no caller can use.
  const signature = ArrayBuffer.isView(answer) ? Uint8Array.from(answer) : new Uint8Array()
  if (isSignedBy(address, message, signature)) return signature
  throw new WrongSignatureError(`The wallet answered with a signature that is not ${address}'s.`, {
    field: 'signature',
    fix: 'Choose that account in the wallet, and sign again.',
  })
}

function readAnswer(answer: TransactionLike): ParsedTransaction {
  try {
    return readTransaction(answer)
  } catch (cause) {
    throw new WalletFailedError('The wallet answered with something that is no transaction.', {
      cause,
      fix: 'Update the wallet, or use another one.',
    })
  }
}
