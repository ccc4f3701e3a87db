import { ed25519 } from '@noble/curves/ed25519.js'
import { encodeTransaction } from '../transaction/encodeTransaction.ts'
import { parseTransaction } from '../transaction/parseTransaction.ts'
import type { TransactionLike } from '../transaction/readTransaction.ts'
import { changedByWallet } from './changedByWallet.ts'
import type {
  KeypairSigner,
  SolanaSigner,
  WalletAdapterSigner,
  WalletStandardSigner,
} from './solanaSigner.ts'

/** What can be asked of a wallet. A missing member is a thing that the wallet cannot do. */
export type WalletCalls = {
  signMessage?: (message: Uint8Array) => Promise<Uint8Array>
  signTransaction?: (transaction: Uint8Array) => Promise<TransactionLike>
}

/**
 * Every kind of wallet in one form; what it answers is not checked yet. What it is given is its own copy: the
 * answer is held against bytes that no wallet can have written into.
 */
export function walletCalls(
  signer: SolanaSigner,
  address: string,
  chain: `solana:${string}` | undefined,
): WalletCalls {
  if ('account' in signer) return standardCalls(signer, chain)
  return 'secretKey' in signer ? keypairCalls(signer, address) : adapterCalls(signer)
}

function standardCalls(
  { account: own, features }: WalletStandardSigner,
  chain: `solana:${string}` | undefined,
): WalletCalls {
  const { 'solana:signMessage': messages, 'solana:signTransaction': transactions } = features
  // The wallet declares its own account type; the account that is handed to it is the one that came from it.
  const account = own as never
  return {
    ...(messages && {
      signMessage: async (bytes) => {
        const [output] = await messages.signMessage({ account, message: Uint8Array.from(bytes) })
        const signed = output?.signedMessage ?? bytes
        if (signed.length !== bytes.length || signed.some((byte, i) => byte !== bytes[i]))
          throw changedByWallet()
        return output?.signature ?? new Uint8Array()
      },
    }),
    ...(transactions && {
      signTransaction: async (bytes) => {
        const input = { account, transaction: Uint8Array.from(bytes), ...(chain && { chain }) }
        const [output] = await transactions.signTransaction(input)
        return output?.signedTransaction ?? new Uint8Array()
      },
    }),
  }
}

function keypairCalls({ secretKey }: KeypairSigner, address: string): WalletCalls {
  const sign = (bytes: Uint8Array) => ed25519.sign(bytes, secretKey.slice(0, 32))
  return {
    signMessage: async (bytes) => sign(bytes),
    signTransaction: async (bytes) => {
      const { keys, signatures, message } = parseTransaction(bytes)
      const own = keys.indexOf(address)
      return encodeTransaction({
        signatures: signatures.map((signature, index) => (index === own ? sign(message) : signature)),
        message,
      })
    },
  }
}

function adapterCalls(wallet: WalletAdapterSigner): WalletCalls {
  return {
    ...(wallet.signMessage && {
      signMessage: async (bytes) => {
        const output = await wallet.signMessage?.(Uint8Array.from(bytes))
        return output && 'signature' in output ? output.signature : (output ?? new Uint8Array())
      },
    }),
    ...(wallet.signTransaction && {
      signTransaction: async (bytes) => {
        const { VersionedTransaction } = await import('@solana/web3.js')
        // Typed `never` so that every wallet's own parameter type fits; all of them take this class.
        const output = await wallet.signTransaction?.(VersionedTransaction.deserialize(bytes) as never)
        return output ?? new Uint8Array()
      },
    }),
  }
}
