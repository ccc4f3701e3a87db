import { parseBase64 } from '../../core/base64.ts'
import { InvalidSignatureError } from '../../core/errors/inputErrors.ts'
import { describeType, showReason, showValue } from '../../core/errors/showValue.ts'
import { UserRejectedError, WalletFailedError, WrongSignatureError } from '../../core/errors/walletErrors.ts'
import { Keypair } from '../sdk.ts'
import { asBuffer } from '../values.ts'

/** Some wallets return a string instead of SEP-43's object. */
type WalletAnswer = Readonly<Record<string, unknown>> | string

/** Treats an answer with `error` as an error, even if it also has a result. */
export async function askWallet(
  wallet: object,
  method: string,
  ...args: readonly unknown[]
): Promise<WalletAnswer> {
  const call: unknown = Reflect.get(wallet, method)
  if (typeof call !== 'function')
    throw new WalletFailedError(`The wallet has no ${method}.`, {
      field: 'signer',
      fix: 'Use a wallet that follows SEP-43, such as Freighter.',
      source: 'SEP-43',
    })
  const answer = await attempt(method, () => Reflect.apply(call, wallet, args))
  if (typeof answer === 'string') return answer
  if (typeof answer !== 'object' || answer === null)
    throw refusal(method, `an answer that is ${showValue(answer)}`)
  // Any object can be read by field name; the values stay `unknown`.
  const fields = answer as Readonly<Record<string, unknown>>
  if (fields.error !== undefined && fields.error !== null && fields.error !== '')
    throw refusal(method, fields.error)
  // Earlier versions of SEP-43 return the error itself as the answer.
  if (fields.code !== undefined && typeof fields.message === 'string') throw refusal(method, fields)
  return fields
}

/** Converts the errors of a wallet or a key. */
export async function attempt(method: string, call: () => unknown): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    throw refusal(method, error)
  }
}

/** Whether a wallet reported that it does not support a method (SEP-43, error code -3). This is not a rejection by the user. */
export function isUnsupported(error: unknown): boolean {
  const { code, error: inner } = Object(error instanceof WalletFailedError ? error.cause : undefined)
  return String(code ?? Object(inner).code) === '-3'
}

function refusal(method: string, thrown: unknown): UserRejectedError | WalletFailedError {
  // Only reads fields by name. A string has neither field.
  const error: unknown = Object(thrown).error ?? thrown
  const { code, message = error } = Object(error)
  if (isRefusal(code, typeof message === 'string' ? message : ''))
    return new UserRejectedError('The user rejected the request in the wallet.', {
      cause: error,
      fix: 'Retry only after another click.',
      source: 'SEP-43, error code -4',
    })
  return new WalletFailedError(
    `The wallet failed at ${method}: ${typeof message === 'string' ? showReason(message) : describeType(message)}.`,
    {
      cause: error,
      field: 'signer',
      fix: 'Check that the wallet is unlocked, connected to this site and on this network.',
    },
  )
}

/**
 * Whether the user rejected the request. A known error code takes precedence over the text. xBull reports a closed window as "no
 * elements in sequence".
 */
function isRefusal(code: unknown, message: string): boolean {
  // -4 is SEP-43's code, 4001 is EIP-1193's (wallets for several chains use it on every chain), and 5000 is WalletConnect's.
  if (/^(-4|4001|5000)$/.test(String(code))) return true
  // SEP-43 codes: -2 is an external failure, -3 an invalid request.
  if (/^-[23]$/.test(String(code))) return false
  if (/time.?out|timed out|network|malformed|invalid/i.test(message)) return false
  return /reject|declin|denied|cancel|user closed|no elements in sequence/i.test(
    `${typeof code === 'string' ? code : ''} ${message}`,
  )
}

/** Returns the 64-byte signature in a wallet's answer, after verifying it. */
export function readSignature(value: unknown, digest: Uint8Array, address: string): Uint8Array {
  const signature = toBytes(value)
  if (signature?.length !== 64)
    throw new InvalidSignatureError(
      `A signature has 64 bytes; the wallet returned ${signature?.length ?? showValue(value)}.`,
      { field: 'signature', fix: 'Update the wallet, or use a wallet that follows SEP-43.' },
    )
  if (!isSignedBy(address, digest, signature))
    throw new WrongSignatureError(
      `The returned signature is not a signature of this request by ${address}.`,
      { field: 'signature', fix: 'Select that account in the wallet, or update the wallet (SEP-53).' },
    )
  return signature
}

/**
 * Decodes a signature that was base64-encoded twice. 64 bytes have 88 characters in base64; with some wallets, a wallet
 * library encodes these characters again. Origin: Creit-Tech/Stellar-Wallets-Kit, issue 68.
 */
function decodeTwice(bytes: Uint8Array): Uint8Array {
  return bytes.length === 88 ? parseBase64(String.fromCharCode(...bytes), 'signature') : bytes
}

/** Reads bytes in every form that wallets return: bytes, a `Buffer` that went through JSON, base64 or hex text. */
function toBytes(value: unknown): Uint8Array | undefined {
  if (typeof value === 'string' && value !== '')
    // 64 bytes in hex have 128 characters. In base64 they have fewer, so the two cannot be confused.
    return /^[0-9a-f]{128}$/i.test(value)
      ? Uint8Array.from(value.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
      : decodeTwice(parseBase64(value, 'signature'))
  const data: unknown = Object(value).data ?? value
  // Unlike `instanceof`, this works across realms: a wallet's frame has its own classes.
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice()
  if (Object.prototype.toString.call(data) === '[object ArrayBuffer]')
    // Only an ArrayBuffer has this tag.
    return new Uint8Array(data as ArrayBuffer).slice()
  if (Array.isArray(data) && data.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256))
    return Uint8Array.from(data)
  return undefined
}

export function isSignedBy(address: string, digest: Uint8Array, signature: Uint8Array): boolean {
  return Keypair.fromPublicKey(address).verify(asBuffer(digest), asBuffer(signature))
}
