import type { AddressLike } from '../address/parseAddress.ts'
import type { TransactionLike } from '../transaction/readTransaction.ts'

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

/** A Wallet Standard wallet with one of its accounts. Bytes in, bytes out. */
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

/** Every wallet that can sign here. */
export type SolanaSigner = KeypairSigner | WalletAdapterSigner | WalletStandardSigner
