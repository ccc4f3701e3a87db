import { ed25519 } from '@noble/curves/ed25519.js'
import { BaseError } from '../../core/errors/baseError.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { safeCause } from '../../core/errors/safeCause.ts'
import {
  UserRejectedError,
  WalletFailedError,
  WrongSignatureError,
  WrongSignerError,
} from '../../core/errors/walletErrors.ts'
import { type AddressLike, parseAddress } from '../address.ts'
import { isSignedBy } from '../transaction/isSignedBy.ts'
import type { KitTransaction, TransactionLike } from '../transaction/parseTransaction.ts'

/** A key in memory: a web3.js `Keypair`. */
export type KeypairSigner = {
  publicKey: AddressLike
  /** 64 bytes: seed, then public key. */
  secretKey: Uint8Array
}

/** A wallet adapter, or a wallet's own injected object. Its transactions are web3.js objects. */
export type WalletAdapterSigner = {
  publicKey: AddressLike | null
  signMessage?(message: Uint8Array): Promise<Uint8Array | { signature: Uint8Array }>
  signTransaction?(transaction: never): Promise<Exclude<TransactionLike, string>>
}

/** A Wallet Standard wallet with one of its accounts. It takes and returns bytes. */
export type WalletStandardSigner = {
  account: { address: string }
  features: {
    'solana:signMessage'?: {
      signMessage(input: {
        account: never
        message: Uint8Array
      }): Promise<readonly { signedMessage: Uint8Array; signature: Uint8Array }[]>
    }
    'solana:signTransaction'?: {
      signTransaction(input: {
        account: never
        transaction: Uint8Array
        chain?: `solana:${string}`
      }): Promise<readonly { signedTransaction: Uint8Array }[]>
    }
  }
}

/** A signer of `@solana/kit` that can sign. A signer with only `signAndSendTransactions` is refused. */
export type KitSigner = {
  address: string
  // Declares only the used parts of each function, because kit brands its addresses and bytes with its own types.
  signMessages?(messages: never): Promise<readonly Readonly<Record<string, Uint8Array>>[]>
  modifyAndSignMessages?(
    messages: never,
  ): Promise<readonly { content: ArrayLike<number>; signatures: Readonly<Record<string, Uint8Array>> }[]>
  signTransactions?(transactions: never): Promise<readonly Readonly<Record<string, Uint8Array>>[]>
  modifyAndSignTransactions?(transactions: never): Promise<readonly KitTransaction[]>
}

/** Every supported wallet. */
export type SolanaSigner = KeypairSigner | WalletAdapterSigner | WalletStandardSigner | KitSigner

export function addressOf(signer: SolanaSigner): string {
  const isStandard = typeof signer === 'object' && signer !== null && 'account' in signer
  const publicKey = isStandard
    ? signer.features && signer.account?.address
    : isKitSigner(signer)
      ? signer.address
      : signer?.publicKey
  if (publicKey === null || publicKey === undefined)
    throw new WrongSignerError('The wallet has no account.', {
      field: 'signer',
      fix: 'Connect the wallet first.',
    })
  return parseAddress(publicKey, { field: 'signer.publicKey' })
}

export declare namespace addressOf {
  type ErrorType = WrongSignerError | InvalidAddressError
}

/** Whether a signer is from `@solana/kit`: only kit signers have the field `address`. */
export function isKitSigner(signer: SolanaSigner): signer is KitSigner {
  return typeof signer === 'object' && signer !== null && 'address' in signer && !('publicKey' in signer)
}

export function signWithKeypair({ secretKey }: KeypairSigner, bytes: Uint8Array): Uint8Array {
  return ed25519.sign(bytes, secretKey.slice(0, 32))
}

/** Rejection codes of EIP-1193, WalletConnect and ethers. */
const refusals: readonly unknown[] = ['4001', '5000', 'ACTION_REJECTED']
/** Matches error codes of a protocol. Shorter numbers, such as a `DOMException`'s, have no meaning here. */
const protocolCode = /^-?\d{4,}$/
const refusalPattern =
  /\buser(?: has)? (?:reject|declin|den[iy]|cancel|clos|abort|disapprov|refus)|(?:reject|declin|deni|cancel|abort|refus)\w+ by (?:the )?user|^(?:transaction|request|approval|signature|signing) (?:was )?(?:rejected|declined|denied|cancell?ed|aborted|refused)\.?$/i

/** Waits for a wallet's answer, and distinguishes a rejection from a failure. */
export async function askWallet<answer>(prompt: Promise<answer>): Promise<answer> {
  try {
    return await prompt
  } catch (cause) {
    // `safeCause` comes first: a wallet's error may throw when it is inspected.
    if (safeCause(cause) === cause && cause instanceof BaseError) throw cause
    for (let error: unknown = cause, depth = 0; error && depth < 5; depth++) {
      // Any value can be thrown, even a string, so its fields are not trusted.
      const { code, message, error: inner, cause: next, data } = Object(error) as Record<string, unknown>
      const codeText = typeof code === 'string' || typeof code === 'number' ? `${code}` : ''
      const text = [error, message].find((texts) => typeof texts === 'string')
      // The message text decides only if there is no protocol code, because nodes and networks also "reject" and "cancel".
      if (refusals.includes(codeText) || (!protocolCode.test(codeText) && refusalPattern.test(`${text}`)))
        throw new UserRejectedError('The user rejected the request in the wallet.', {
          cause,
          fix: 'Retry only after another click.',
        })
      error = inner ?? next ?? Object(data).originalError
    }
    throw new WalletFailedError('The wallet failed to sign.', {
      cause,
      fix: 'Unlock or reconnect the wallet. `cause` has its error code, if any.',
    })
  }
}

export function changedByWallet(): ChangedByWalletError {
  return new ChangedByWalletError('The wallet changed the request before signing it.', {
    field: 'transaction',
    fix: "Turn off the wallet's own additions (fee changes), let the sponsor sign first, or use another wallet.",
  })
}

/** The wallet signed something other than the requested content. */
export class ChangedByWalletError extends BaseError {
  override readonly name = 'ChangedByWalletError'
}

/** Returns a wallet's signature of a message, after verifying it against the address. */
export function checkSignature(
  address: string,
  message: Uint8Array,
  answer: Uint8Array | undefined,
): Uint8Array {
  // The verifier also accepts hex text, but callers of this function need bytes.
  const signature = ArrayBuffer.isView(answer) ? Uint8Array.from(answer) : new Uint8Array()
  if (isSignedBy(address, message, signature)) return signature
  throw new WrongSignatureError(`The wallet answered with a signature that is not ${address}'s.`, {
    field: 'signature',
    fix: 'Select that account in the wallet, and sign again.',
  })
}
