import { ed25519 } from '@noble/curves/ed25519.js'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { WrongSignerError } from '../../core/errors/walletErrors.ts'
import { type AddressLike, parseAddress } from '../address.ts'
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
