import { utf8Text } from '../../core/attempt.ts'
import { InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { formatBase58 } from '../encoding.ts'

/** Text in the off-chain message envelope that hardware wallets use. */
export type OffchainMessage = {
  version: number
  /** Base58; `undefined` if the envelope names no application. */
  application: string | undefined
  /** The accounts that must sign. The short form of version 0 lists none. */
  signers: readonly string[]
  text: string
}

/** The signing domain that starts every envelope. No transaction begins with 0xff. */
const signingDomain = Uint8Array.from('\xffsolana offchain', (letter) => letter.charCodeAt(0))

/** The longest text that a hardware wallet can sign. */
const longestShown = 1232

/**
 * Reads an off-chain message: version 0, the short form of version 0 that older Ledger apps sign, or version 1. Returns `undefined` for
 * bytes without the signing domain.
 *
 * @see https://docs.anza.xyz/proposals/off-chain-message-signing and sRFC 3
 */
export function readOffchainMessage(bytes: Uint8Array): OffchainMessage | undefined {
  if (signingDomain.some((byte, index) => bytes[index] !== byte)) return undefined
  const version = bytes[signingDomain.length]
  const body = bytes.subarray(signingDomain.length + 1)
  const read =
    version === 0 ? (readVersion0(body) ?? readShort(body)) : version === 1 ? readVersion1(body) : undefined
  if (read?.text === undefined)
    throw new InvalidTransactionError('Asks you to sign a malformed off-chain message.', {
      field: 'message',
      fix: 'Do not sign it.',
    })
  return { version: version ?? 0, application: undefined, signers: [], ...read, text: read.text }
}

type Read =
  | (Partial<Pick<OffchainMessage, 'application' | 'signers'>> & { text: string | undefined })
  | undefined

function readVersion0(body: Uint8Array): Read {
  const { signers, rest } = readSigners(body, 33)
  const text = readSized(body[32], rest)
  const application = body.subarray(0, 32)
  if (text === undefined || signers.length === 0) return undefined
  return { application: application.some(Boolean) ? formatBase58(application) : undefined, signers, text }
}

const readShort = (body: Uint8Array): Read => ({ text: readSized(body[0], body.subarray(1)) })

/** The signers must be in ascending order. */
function readVersion1(body: Uint8Array): Read {
  const { signers, rest } = readSigners(body, 0)
  const keys = signers.map((_, index) =>
    String.fromCharCode(...body.subarray(1 + 32 * index, 33 + 32 * index)),
  )
  const isOrdered = keys.every((key, index) => key > (keys[index - 1] ?? ''))
  return signers.length > 0 && isOrdered ? { signers, text: readText(rest) } : undefined
}

function readSigners(body: Uint8Array, at: number) {
  const start = at + 1
  const end = start + 32 * (body[at] ?? 0)
  return { signers: addressesOf(body.subarray(start, end)), rest: body.subarray(end) }
}

const addressesOf = (bytes: Uint8Array) =>
  Array.from({ length: bytes.length / 32 }, (_, index) =>
    formatBase58(bytes.subarray(32 * index, 32 * index + 32)),
  )

/** Format 0 is printable ASCII; 1 and 2 are UTF-8, and 2 may be longer. */
function readSized(format: number | undefined, [low = 0, high = 0, ...rest]: Uint8Array): string | undefined {
  if (format === undefined || format > 2 || rest.length !== low + 256 * high) return undefined
  if (format < 2 && rest.length > longestShown) return undefined
  const text = readText(Uint8Array.from(rest))
  return format === 0 && /[^ -~]/.test(text ?? '') ? undefined : text
}

const readText = (bytes: Uint8Array) => utf8Text(bytes) || undefined
