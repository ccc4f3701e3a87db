import { InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { formatBase58 } from '../encoding.ts'

/** A text in the envelope in which hardware wallets sign texts. */
export type OffchainMessage = {
  version: number
  /** Base58; `undefined` if the envelope names no application. */
  application: string | undefined
  /** The accounts that have to sign. The short form of version 0 names none. */
  signers: readonly string[]
  text: string
}

/** No transaction begins with its first byte. */
const signingDomain = Uint8Array.from('\xffsolana offchain', (letter) => letter.charCodeAt(0))

/** As long as a hardware wallet can sign. */
const longestShown = 1232

/**
 * Reads an off-chain message: version 0, its short form that older Ledger apps sign, or version 1.
 *
 * @returns `undefined` for bytes without its signing domain
 * @throws {@link InvalidTransactionError} for a malformed one
 * @see https://docs.anza.xyz/proposals/off-chain-message-signing and sRFC 3
 */
export function readOffchainMessage(bytes: Uint8Array): OffchainMessage | undefined {
  if (signingDomain.some((byte, index) => bytes[index] !== byte)) return undefined
  const body = bytes.subarray(signingDomain.length + 1)
  const readers = [(): Read => readVersion0(body) ?? readShort(body), () => readVersion1(body)]
  const version = bytes[signingDomain.length] ?? readers.length
  const read = readers[version]?.()
  if (read === undefined)
    throw new InvalidTransactionError('Asks you to sign a malformed off-chain message.', {
      field: 'message',
      fix: 'Do not sign it.',
    })
  return { version, ...read }
}

type Read = Omit<OffchainMessage, 'version'> | undefined

/** Application, format, signers, then the length and the text. */
function readVersion0(body: Uint8Array): Read {
  const end = 34 + 32 * (body[33] ?? 0)
  const signers = addressesOf(body.subarray(34, end))
  const text = readSized(body[32], body.subarray(end))
  const application = body.subarray(0, 32)
  if (text === undefined || signers.length === 0) return undefined
  const isNamed = application.some((byte) => byte !== 0)
  return { application: isNamed ? formatBase58(application) : undefined, signers, text }
}

/** Format, length and text. */
function readShort(body: Uint8Array): Read {
  const text = readSized(body[0], body.subarray(1))
  return text === undefined ? undefined : { application: undefined, signers: [], text }
}

/** Signers in ascending order, then the text. */
function readVersion1(body: Uint8Array): Read {
  const end = 1 + 32 * (body[0] ?? 0)
  const signers = addressesOf(body.subarray(1, end))
  const text = readText(body.subarray(end))
  const isOrdered = signers.every((_, index) => index === 0 || isAscending(body, 1 + 32 * index))
  return text === undefined || signers.length === 0 || !isOrdered
    ? undefined
    : { application: undefined, signers, text }
}

/** Whether the 32 bytes at an index are more than the 32 bytes before. */
function isAscending(body: Uint8Array, at: number): boolean {
  const [before, here] = [at - 32, at].map((start) =>
    String.fromCharCode(...body.subarray(start, start + 32)),
  )
  return `${here}` > `${before}`
}

const addressesOf = (bytes: Uint8Array) =>
  Array.from({ length: bytes.length / 32 }, (_, index) =>
    formatBase58(bytes.subarray(32 * index, 32 * index + 32)),
  )

/** A text after its length. Format 0 is printable ASCII; 1 and 2 are UTF-8, and 2 may be longer. */
function readSized(format: number | undefined, [low = 0, high = 0, ...rest]: Uint8Array): string | undefined {
  if (format === undefined || format > 2 || rest.length !== low + 256 * high) return undefined
  if (format < 2 && rest.length > longestShown) return undefined
  const text = readText(Uint8Array.from(rest))
  return format === 0 && /[^ -~]/.test(text ?? '') ? undefined : text
}

function readText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) || undefined
  } catch {
    return undefined
  }
}
