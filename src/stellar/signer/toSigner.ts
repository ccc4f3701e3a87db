import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { asBuffer } from '../encoding/asBuffer.ts'
import { parseBase64 } from '../encoding/parseBase64.ts'
import type { StellarNetwork } from '../networks.ts'
import { checkAddress } from './checkAddress.ts'
import { isSignedBy } from './isSignedBy.ts'

type Answer = Readonly<Record<string, unknown>>
type WalletOptions = { networkPassphrase?: string; address?: string }

/** A SEP-43 wallet, as far as it is used: Freighter's API module fits as it is. */
export type StellarWallet = {
  getAddress: () => Promise<unknown>
  getNetwork?: (() => Promise<unknown>) | undefined
  signMessage?: ((message: string, options?: WalletOptions) => Promise<unknown>) | undefined
  signTransaction?: ((transactionXdr: string, options?: WalletOptions) => Promise<unknown>) | undefined
  signAuthEntry?: ((preimageXdr: string, options?: WalletOptions) => Promise<unknown>) | undefined
}

/** A key in this process: the SDK's `Keypair` fits as it is. */
export type StellarKeypair = {
  publicKey: () => string
  sign: (data: Buffer) => Uint8Array
}

export type StellarSigner = StellarWallet | StellarKeypair

/** What the rest of this room asks of a signer. Every signature that it returns has been verified. */
export type Signer = {
  /** The `G…` address. */
  address: string
  /** Whether it signs texts. */
  signsText: boolean
  /** The 64-byte signature of a text's SEP-53 digest. */
  signMessage: (message: string, digest: Uint8Array) => Promise<Uint8Array>
  /** The 64-byte signature of a transaction hash. */
  signTransaction: (transactionXdr: string, digest: Uint8Array, find: FindSignature) => Promise<Uint8Array>
  /** The 64-byte signature of an authorization preimage. */
  signAuthEntry: (preimageXdr: string, digest: Uint8Array) => Promise<Uint8Array>
}

/** Takes the wallet's signature out of the transaction that it returned. */
type FindSignature = (signedXdr: string) => Uint8Array | undefined

/**
 * Makes one signer of a SEP-43 wallet or a key pair.
 *
 * A wallet is asked for its network first; on another one nothing is ever put before the user. An answer with `error`,
 * by another address, of a wrong length or by another key is an error, whatever else the answer says.
 *
 * @throws {@link WrongNetworkError} {@link WrongSignerError} {@link UserRejectedError} {@link WalletError}
 */
export async function toSigner(signer: StellarSigner, network: StellarNetwork): Promise<Signer> {
  // A class with static methods is a wallet, too.
  if ((typeof signer !== 'object' && typeof signer !== 'function') || signer === null)
    throw new WalletError(`${showValue(signer)} is not a signer.`, {
      field: 'signer',
      fix: 'Hand over a SEP-43 wallet such as Freighter, or a Keypair of the SDK.',
    })
  if (isKeypair(signer)) {
    const address = checkAddress(await attempt('publicKey', () => signer.publicKey()), 'signer')
    const sign = async (_: string, digest: Uint8Array) => {
      return checkSignature(await attempt('sign', () => signer.sign(asBuffer(digest))), digest, address)
    }
    return { address, signsText: true, signMessage: sign, signTransaction: sign, signAuthEntry: sign }
  }
  const { networkPassphrase } = network
  const answered = await ask(signer, 'getAddress', () => signer.getAddress())
  const named = typeof answered === 'string' ? answered : answered.address
  if (named === '')
    throw new WalletError('The wallet shows no account.', {
      field: 'signer',
      fix: 'Unlock it, and connect it to this site (Freighter: requestAccess).',
    })
  const address = checkAddress(named, 'signer')
  const options = { networkPassphrase, address }

  const prompt = async (
    method: 'signMessage' | 'signTransaction' | 'signAuthEntry',
    field: string,
    payload: string,
  ) => {
    if (signer.getNetwork !== undefined) {
      const current = await ask(signer, 'getNetwork', () => signer.getNetwork?.()).catch((error: unknown) => {
        // It does not tell. What it signs is bound to the network all the same, and verified.
        if (isUnsupported(error)) return { networkPassphrase }
        throw error
      })
      const passphrase = typeof current === 'string' ? current : current.networkPassphrase
      if (passphrase !== networkPassphrase)
        throw new WrongNetworkError(
          `The wallet is on ${showValue(passphrase)}, the request is for ${network.name}.`,
          { field: 'networkPassphrase', fix: `Switch the wallet to ${network.name} and try again.` },
        )
    }
    const answer = await ask(signer, method, () => signer[method]?.(payload, options))
    if (typeof answer === 'string') return answer
    const by = answer.signerAddress
    if (typeof by === 'string' && by !== '' && by !== address)
      throw new WrongSignerError(`The wallet signed with ${showValue(by, 60)}, not with ${address}.`, {
        field: 'signerAddress',
        fix: 'Select the account in the wallet for which the request was made.',
      })
    return answer[field]
  }

  return {
    address,
    signsText: signer.signMessage !== undefined,
    async signMessage(message, digest) {
      return checkSignature(await prompt('signMessage', 'signedMessage', message), digest, address)
    },
    async signTransaction(transactionXdr, digest, find) {
      const signed = await prompt('signTransaction', 'signedTxXdr', transactionXdr)
      return checkSignature(typeof signed === 'string' ? find(signed) : signed, digest, address)
    },
    async signAuthEntry(preimageXdr, digest) {
      return checkSignature(await prompt('signAuthEntry', 'signedAuthEntry', preimageXdr), digest, address)
    },
  }
}

function isKeypair(signer: StellarSigner): signer is StellarKeypair {
  return 'publicKey' in signer && typeof signer.publicKey === 'function'
}

/** Reads bytes as wallets hand them out: bytes, a `Buffer` that went through JSON, base64 or hex text. */
function toBytes(value: unknown): Uint8Array | undefined {
  // 64 bytes in hex, as some wallets write them; their base64 is shorter.
  if (typeof value === 'string' && /^[0-9a-f]{128}$/i.test(value))
    return Uint8Array.from(value.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  if (typeof value === 'string' && value !== '') return parseBase64(value, 'signature')
  const data: unknown = typeof value === 'object' && value !== null && 'data' in value ? value.data : value
  // Of any realm: a wallet's frame has classes of its own.
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice()
  if (Object.prototype.toString.call(data) === '[object ArrayBuffer]')
    return new Uint8Array(data as ArrayBuffer).slice()
  if (Array.isArray(data) && data.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256))
    return Uint8Array.from(data)
  return undefined
}

function checkSignature(value: unknown, digest: Uint8Array, address: string): Uint8Array {
  const signature = toBytes(value)
  if (signature === undefined || signature.length !== 64)
    throw new InvalidSignatureError(
      `A signature has 64 bytes; the wallet returned ${signature === undefined ? showValue(value) : signature.length}.`,
      {
        field: 'signature',
        fix: 'Update the wallet, or use another one: SEP-43 asks for a 64-byte signature.',
      },
    )
  if (!isSignedBy(address, digest, signature))
    throw new WrongSignerError(`The returned signature is not by ${address} over this request.`, {
      field: 'signature',
      fix: 'Select that account in the wallet; older wallets do not follow SEP-53 and need an update.',
    })
  return signature
}

async function ask(
  wallet: StellarWallet,
  method: keyof StellarWallet,
  call: () => Promise<unknown> | undefined,
): Promise<Answer | string> {
  if (typeof wallet[method] !== 'function')
    throw new WalletError(`The wallet has no ${method}.`, {
      field: 'signer',
      fix: 'Use a wallet that follows SEP-43 for this, such as Freighter.',
      docs: 'SEP-43',
    })
  const answer = await attempt(method, call)
  if (typeof answer === 'string') return answer
  if (typeof answer === 'object' && answer !== null) {
    // Any object may be read by name; the values stay unknown.
    const fields = answer as Answer
    if (fields.error !== undefined && fields.error !== null && fields.error !== '')
      throw refusal(method, fields.error)
    return fields
  }
  throw refusal(method, `an answer that is ${showValue(answer)}`)
}

async function attempt(method: string, call: () => unknown): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    throw refusal(method, error)
  }
}

function refusal(method: string, thrown: unknown): BaseError {
  // Read by name only; nothing is assumed of the values.
  const fields = (error: unknown) =>
    typeof error === 'object' && error !== null
      ? (error as { code?: unknown; message?: unknown; error?: unknown })
      : {}
  const error = fields(thrown).error ?? thrown
  const { code, message = error } = fields(error)
  if (isRefusal(code, typeof message === 'string' ? message : ''))
    return new UserRejectedError('The user refused to sign.', {
      cause: error,
      fix: 'Take it as the answer; do not ask again on your own.',
      docs: 'SEP-43, error code -4',
    })
  return new WalletError(`The wallet failed at ${method}: ${showValue(message, 120)}.`, {
    cause: error,
    field: 'signer',
    fix: 'Look at the wallet: it may be locked, not connected to this site, or on another network.',
  })
}

/** Whether it is the user who said no. A code that says so, or says otherwise, decides alone. */
function isRefusal(code: unknown, message: string): boolean {
  // -4 is SEP-43's, 4001 that of EIP-1193, which wallets of several chains use everywhere, 5000 WalletConnect's.
  if (['-4', '4001', '5000'].includes(String(code))) return true
  // SEP-43's for a failure outside the wallet, and for a request that is wrong.
  if (['-2', '-3'].includes(String(code))) return false
  if (/time.?out|timed out|network|malformed|invalid/i.test(message)) return false
  return /reject|declin|denied|cancel|user closed/i.test(`${typeof code === 'string' ? code : ''} ${message}`)
}

/** Whether a wallet has said that it has no such method (SEP-43, error code -3): not the user's word. */
export function isUnsupported(error: unknown): boolean {
  const { code, error: inner } = Object(error instanceof WalletError ? error.cause : undefined)
  return String(code ?? Object(inner).code) === '-3'
}

/** A wallet that cannot do what is asked, or fails at it. */
export class WalletError extends BaseError {
  override readonly name = 'WalletError'
}

/** The user said no. Final. */
export class UserRejectedError extends BaseError {
  override readonly name = 'UserRejectedError'
}

/** Something for another network than the one expected. */
export class WrongNetworkError extends BaseError {
  override readonly name = 'WrongNetworkError'
}

/** A signature by another key than the one expected. */
export class WrongSignerError extends BaseError {
  override readonly name = 'WrongSignerError'
}

/** Something that is not a signature at all. */
export class InvalidSignatureError extends BaseError {
  override readonly name = 'InvalidSignatureError'
}
