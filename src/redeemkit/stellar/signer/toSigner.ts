import type {
  InvalidAddressError,
  InvalidBase64Error,
  InvalidSignatureError,
} from '../../core/errors/inputErrors.ts'
import { describeType, showValue } from '../../core/errors/showValue.ts'
import {
  type UserRejectedError,
  WalletFailedError,
  WrongNetworkError,
  WrongSignatureError,
} from '../../core/errors/walletErrors.ts'
import type { StellarNetwork } from '../networks.ts'
import { asBuffer, checkAddress } from '../values.ts'
import { askWallet, attempt, isUnsupported, readSignature } from './askWallet.ts'

type WalletOptions = { networkPassphrase?: string; address?: string }

/** The methods of a SEP-43 wallet, such as Freighter's API module, that redeemkit calls. */
export type StellarWallet = {
  getAddress: () => Promise<unknown>
  getNetwork?: (() => Promise<unknown>) | undefined
  signMessage?: ((message: string, options?: WalletOptions) => Promise<unknown>) | undefined
  signTransaction?: ((transactionXdr: string, options?: WalletOptions) => Promise<unknown>) | undefined
  signAuthEntry?: ((preimageXdr: string, options?: WalletOptions) => Promise<unknown>) | undefined
}

/** A key in this process, such as the SDK's `Keypair`. */
export type StellarKeypair = {
  publicKey: () => string
  sign: (data: Buffer) => Uint8Array
}

export type StellarSigner = StellarWallet | StellarKeypair

/** The signer interface that the other folders use. It returns only signatures that it has verified. */
export type Signer = {
  /** The `G…` address. */
  address: string
  signsText: boolean
  /**
   * Returns the 64-byte signature of `digest`: the digest of a SEP-53 text, or the hash of a transaction or
   * authorization preimage. A wallet gets `payload` instead, through the named method.
   */
  sign: (
    method: keyof typeof signedFields,
    payload: string,
    digest: Uint8Array,
    find?: FindSignature,
  ) => Promise<Uint8Array>
}

/**
 * Names of the signature, or of its container, in a wallet's answer: both spellings of SEP-43, then the names that WalletConnect,
 * Albedo and Rabet use.
 */
const signedFields = {
  signMessage: ['signedMessage', 'signed_message'],
  signTransaction: ['signedTxXdr', 'signed_tx_xdr', 'signedXDR', 'signed_envelope_xdr', 'xdr'],
  signAuthEntry: ['signedAuthEntry', 'signed_auth_entry'],
} as const

/** Extracts the wallet's signature from the transaction or entry that the wallet returned. */
type FindSignature = (signedXdr: string) => Uint8Array | undefined

/**
 * Creates a signer from a SEP-43 wallet or a key pair.
 *
 * Checks the wallet's network first, so that a wallet on the wrong network shows no prompt. Throws if the wallet's answer has an `error`,
 * another address, a signature of the wrong length, or a signature by another key, even if it also has a valid signature.
 */
export async function toSigner(signer: StellarSigner, network: StellarNetwork): Promise<Signer> {
  // A JavaScript class with static methods can be a wallet too.
  if ((typeof signer !== 'object' && typeof signer !== 'function') || signer === null)
    throw new WalletFailedError(`Expected a signer, got ${describeType(signer)}.`, {
      field: 'signer',
      fix: 'Pass a wallet that follows SEP-43, such as Freighter, or a Keypair.',
    })
  return isKeypair(signer) ? toKeySigner(signer) : toWalletSigner(signer, network)
}

export declare namespace toSigner {
  /** Errors that `toSigner` and each signature can throw. */
  type ErrorType =
    | WalletFailedError
    | UserRejectedError
    | InvalidAddressError
    | WrongNetworkError
    | WrongSignatureError
    | InvalidSignatureError
    | InvalidBase64Error
}

function isKeypair(signer: StellarSigner): signer is StellarKeypair {
  return 'publicKey' in signer && typeof signer.publicKey === 'function'
}

async function toKeySigner(keypair: StellarKeypair): Promise<Signer> {
  const address = checkAddress(await attempt('publicKey', () => keypair.publicKey()), 'signer')
  return {
    address,
    signsText: true,
    sign: async (_method, _payload, digest) =>
      readSignature(await attempt('sign', () => keypair.sign(asBuffer(digest))), digest, address),
  }
}

async function toWalletSigner(wallet: StellarWallet, network: StellarNetwork): Promise<Signer> {
  const { networkPassphrase } = network
  const shown = await askWallet(wallet, 'getAddress')
  const named = typeof shown === 'string' ? shown : shown.address
  if (named === '')
    throw new WalletFailedError('The wallet has no connected account.', {
      field: 'signer',
      fix: 'Unlock it, and connect it to this site.',
    })
  const address = checkAddress(named, 'signer')

  const checkNetwork = async () => {
    if (wallet.getNetwork === undefined) return
    const current = await askWallet(wallet, 'getNetwork').catch((error: unknown) => {
      // The wallet does not report its network. Every signature commits to the network and is verified, so signing stays safe.
      if (isUnsupported(error)) return networkPassphrase
      throw error
    })
    const passphrase =
      typeof current === 'string' ? current : (current.networkPassphrase ?? current.network_passphrase)
    if (passphrase !== networkPassphrase)
      throw new WrongNetworkError(
        `The wallet is on ${showValue(passphrase)}, but the request is for ${network.name}.`,
        { field: 'networkPassphrase', fix: `Switch the wallet to ${network.name}.` },
      )
  }
  /** Returns the signed request. */
  const prompt = async (method: keyof typeof signedFields, payload: string) => {
    await checkNetwork()
    const answer = await askWallet(wallet, method, payload, { networkPassphrase, address })
    if (typeof answer === 'string') return answer
    const by = answer.signerAddress ?? answer.signer_address
    if (typeof by === 'string' && by !== '' && by !== address)
      throw new WrongSignatureError(`The wallet signed with ${showValue(by, 60)}, not with ${address}.`, {
        field: 'signerAddress',
        fix: 'Select that account in the wallet.',
      })
    return signedFields[method]
      .map((name) => answer[name])
      .find((value) => (value ?? undefined) !== undefined)
  }
  return {
    address,
    signsText: wallet.signMessage !== undefined,
    sign: async (method, payload, digest, find) => {
      const signed = await prompt(method, payload)
      const found = typeof signed === 'string' ? find?.(signed) : undefined
      return readSignature(found ?? signed, digest, address)
    },
  }
}
