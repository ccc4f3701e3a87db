import { ed25519 } from '@noble/curves/ed25519.js'
import { BaseError } from '../../core/errors/baseError.ts'
import { type AddressLike, parseAddress } from '../address/parseAddress.ts'
import { encodeTransaction } from '../transaction/encodeTransaction.ts'
import { isSignedBy } from '../transaction/isSignedBy.ts'
import { type ParsedTransaction, parseTransaction } from '../transaction/parseTransaction.ts'
import { readTransaction, type TransactionLike } from '../transaction/readTransaction.ts'

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

export type SolanaSigner = KeypairSigner | WalletAdapterSigner | WalletStandardSigner

/** What the rest of this room asks of a signer. A missing member is a thing that the wallet cannot do. */
export type Signer = {
  address: string
  /** Returns the signature, which has been verified. */
  signMessage: ((message: Uint8Array) => Promise<Uint8Array>) | undefined
  /** Adds this wallet's signature to a transaction, which comes back otherwise unchanged. */
  signTransaction: ((transaction: Uint8Array) => Promise<Uint8Array>) | undefined
}

/**
 * Makes one kind of signer of a web3.js `Keypair`, a wallet adapter and a Wallet Standard wallet. What a wallet gives back
 * is checked: the same message, and a signature by this address.
 *
 * @param options.chain passed to Wallet Standard wallets: `solana:mainnet` or `solana:devnet`
 * @throws {@link WrongSignerError} when no account is connected
 */
export function toSigner(
  signer: SolanaSigner,
  options: { chain?: `solana:${string}` | undefined } = {},
): Signer {
  const { chain } = options
  const isStandard = typeof signer === 'object' && signer !== null && 'account' in signer
  const publicKey = isStandard ? signer.features && signer.account?.address : signer?.publicKey
  if (publicKey === null || publicKey === undefined)
    throw new WrongSignerError('The wallet has no account.', {
      field: 'signer',
      fix: 'Connect the wallet first.',
    })
  const address = parseAddress(publicKey, { field: 'signer.publicKey' })
  const checked = (message: Uint8Array, answer: Uint8Array) => {
    // The verifier would take hex text too, which no caller can use.
    const signature = ArrayBuffer.isView(answer) ? Uint8Array.from(answer) : new Uint8Array()
    if (isSignedBy(address, message, signature)) return signature
    throw new WrongSignatureError(`The wallet answered with a signature that is not ${address}'s.`, {
      field: 'signature',
      fix: 'Choose that account in the wallet, and sign again.',
    })
  }

  // What a wallet is given is its own copy: what it answers is held against what nobody can have written into.
  let message: ((bytes: Uint8Array) => Promise<Uint8Array>) | undefined
  let transaction: ((bytes: Uint8Array) => Promise<TransactionLike>) | undefined
  if ('account' in signer) {
    const { 'solana:signMessage': texts, 'solana:signTransaction': transactions } = signer.features
    // The wallet declares its own account type; the account that is handed to it is the one that came from it.
    const account = signer.account as never
    if (texts !== undefined)
      message = async (bytes) => {
        const [output] = await texts.signMessage({ account, message: Uint8Array.from(bytes) })
        const signed = output?.signedMessage ?? bytes
        if (signed.length !== bytes.length || signed.some((byte, i) => byte !== bytes[i])) throw changed()
        return output?.signature ?? new Uint8Array()
      }
    if (transactions !== undefined)
      transaction = async (bytes) => {
        const input = {
          account,
          transaction: Uint8Array.from(bytes),
          ...(chain === undefined ? {} : { chain }),
        }
        const [output] = await transactions.signTransaction(input)
        return output?.signedTransaction ?? new Uint8Array()
      }
  } else if ('secretKey' in signer) {
    const sign = (bytes: Uint8Array) => ed25519.sign(bytes, signer.secretKey.slice(0, 32))
    message = async (bytes) => sign(bytes)
    transaction = async (bytes) => {
      const { keys, signatures, message: signed } = parseTransaction(bytes)
      const own = keys.indexOf(address)
      return encodeTransaction({
        signatures: signatures.map((signature, index) => (index === own ? sign(signed) : signature)),
        message: signed,
      })
    }
  } else {
    if (signer.signMessage !== undefined)
      message = async (bytes) => {
        const output = await signer.signMessage?.(Uint8Array.from(bytes))
        return output && 'signature' in output ? output.signature : (output ?? new Uint8Array())
      }
    if (signer.signTransaction !== undefined)
      transaction = async (bytes) => {
        const { VersionedTransaction } = await import('@solana/web3.js')
        // Typed `never` so that every wallet's own parameter type fits; all of them take this class.
        const output = await signer.signTransaction?.(VersionedTransaction.deserialize(bytes) as never)
        return output ?? new Uint8Array()
      }
  }

  return {
    address,
    signMessage: message && (async (bytes) => checked(bytes, await ask(message(bytes)))),
    signTransaction:
      transaction &&
      (async (bytes) => {
        const before = parseTransaction(bytes)
        const own = before.keys.slice(0, before.signers).indexOf(address)
        if (own < 0)
          throw new WrongSignerError(`The transaction needs no signature of ${address}.`, {
            field: 'signer',
            fix: `Sign with one of ${before.keys.slice(0, before.signers).join(', ')}.`,
          })
        const after = readAnswer(await ask(transaction(bytes)))
        if (
          after.message.length !== before.message.length ||
          after.message.some((byte, i) => byte !== before.message[i])
        )
          throw changed()
        const signature = checked(before.message, after.signatures[own] ?? new Uint8Array())
        return encodeTransaction({
          signatures: before.signatures.map((other, index) => (index === own ? signature : other)),
          message: before.message,
        })
      }),
  }
}

function readAnswer(answer: TransactionLike): ParsedTransaction {
  try {
    return readTransaction(answer)
  } catch (cause) {
    throw new WalletError('The wallet answered with something that is no transaction.', {
      cause,
      fix: 'Look at the cause; update the wallet, or use another one.',
    })
  }
}

/** EIP-1193, WalletConnect, ethers. */
const refusals: readonly unknown[] = ['4001', '5000', 'ACTION_REJECTED']
/** A number of a protocol, which says itself what happened; shorter ones (a `DOMException`'s) say nothing. */
const protocolCode = /^-?\d{4,}$/
const refusalWords =
  /\buser(?: has)? (?:reject|declin|den[iy]|cancel|clos|abort|disapprov|refus)|(?:reject|declin|deni|cancel|abort|refus)\w+ by (?:the )?user|^(?:transaction|request|approval|signature|signing) (?:was )?(?:rejected|declined|denied|cancell?ed|aborted|refused)\.?$/i

async function ask<answer>(prompt: Promise<answer>): Promise<answer> {
  try {
    return await prompt
  } catch (cause) {
    if (cause instanceof BaseError) throw cause
    for (let error: unknown = cause, depth = 0; error && depth < 5; depth++) {
      // Any shape can be thrown, text too; the fields are looked at, not trusted.
      const { code, message, error: inner, cause: next, data } = Object(error) as Record<string, unknown>
      const codeText = typeof code === 'string' || typeof code === 'number' ? `${code}` : ''
      const text = [error, message].find((words) => typeof words === 'string')
      // Words are for want of a code: nodes and networks "reject" and "cancel", too.
      if (refusals.includes(codeText) || (!protocolCode.test(codeText) && refusalWords.test(`${text}`)))
        throw new UserRejectedError('The user refused to sign.', {
          cause,
          fix: 'Ask again only when the user wants to.',
        })
      error = inner ?? next ?? Object(data).originalError
    }
    throw new WalletError('The wallet failed to sign.', {
      cause,
      fix: 'Look at the cause; unlock or reconnect the wallet.',
    })
  }
}

function changed(): ChangedByWalletError {
  return new ChangedByWalletError('The wallet changed what it was given to sign.', {
    field: 'transaction',
    fix: "Turn off the wallet's own additions (fee changes, guards), or use another wallet.",
  })
}

/** A signer without an account, or one whose signature is not asked for. */
export class WrongSignerError extends BaseError {
  override readonly name = 'WrongSignerError'
}

/** A signature by another key, or of other bytes. */
export class WrongSignatureError extends BaseError {
  override readonly name = 'WrongSignatureError'
}

/** The user said no. Final. */
export class UserRejectedError extends BaseError {
  override readonly name = 'UserRejectedError'
}

/** The wallet failed; its own error is the `cause`. */
export class WalletError extends BaseError {
  override readonly name = 'WalletError'
}

/** The wallet signed something else than it was given. */
export class ChangedByWalletError extends BaseError {
  override readonly name = 'ChangedByWalletError'
}
