import { attempt, utf8Text } from '../../core/attempt.ts'
import { claimsSignIn } from '../../core/authMessage.ts'
import { unixSeconds } from '../../core/clock.ts'
import { InvalidOptionError, InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import { createInspection } from '../../core/inspection/createInspection.ts'
import type { Inspection, InspectionLine } from '../../core/inspection/inspection.ts'
import { judgeText, shownText, signInLines, signInSentence } from '../../core/inspection/judgeText.ts'
import { addressValue, line, sentenceValue, textValue, titleOf } from '../../core/inspection/values.ts'
import { parseAddress } from '../address.ts'
import { type AuthMessage, parseAuthMessage } from '../authMessage/parseAuthMessage.ts'
import { formatBase58 } from '../encoding.ts'
import { networkOf } from '../networks.ts'
import { encodeAnyVersion, maxVersion1Length, parseAnyVersion } from '../transaction/parseAnyVersion.ts'
import type { inspectRequest } from './inspectRequest.ts'
import { solanaSentence } from './instructionValues.ts'

/** Describes text that a wallet is asked to sign: a sign-in, with site, account and quoted statement; or plain text. */
export function inspectMessage(options: inspectMessage.Options): Inspection<inspectMessage.Details> {
  const { message, offchain, environment, origin, now } = options
  if (typeof message !== 'string')
    throw new InvalidOptionError('The message is not a string.', {
      field: 'message',
      fix: 'Pass the text that the wallet is asked to sign.',
    })
  const networks = environment === undefined ? undefined : networkOf(environment).chainIds
  const address = parseAddress(options.wallet, { field: 'wallet' })
  const parsed = attempt(() => parseAuthMessage(message))
  const terms = {
    blockchain: 'Solana',
    address,
    networks,
    origin,
    now,
    isStrict: parsed !== undefined && offchain === undefined,
  } as const
  const { signIn, findings } = judgeText(message, terms)
  if (offchain !== undefined) findings.unshift(...signerFindings(offchain, address))
  if (isTransactionMessage(new TextEncoder().encode(message))) findings.unshift(rawTransaction)
  const { title, lines } = titleOf(
    findings,
    signIn === undefined
      ? solanaSentence('text', { text: shownText(message, 80) })
      : signInSentence('signIn', signIn),
  )
  return createInspection({
    kind: signIn === undefined && !claimsSignIn(message) ? 'text' : 'signIn',
    title,
    lines: [
      ...lines,
      ...(signIn === undefined ? [line('text', shownText(message))] : signInLines(signIn, unixSeconds(now))),
      ...(offchain === undefined ? [] : offchainLines(offchain)),
    ],
    findings,
    details: { message: parsed },
  })
}

/** An envelope that lists only other accounts does not ask this account to sign. */
function signerFindings({ signers }: OffchainMessage, address: string): Finding[] {
  if (signers.length === 0 || signers.includes(address)) return []
  return [
    finding('danger', 'WRONG_ACCOUNT', `The message is for ${signers.join(' and ')}, not for ${address}.`, {
      field: 'message',
      fix: 'Do not sign it with this account.',
    }),
  ]
}

const offchainLines = ({ version, application, signers }: OffchainMessage): InspectionLine[] => [
  ...(application === undefined ? [] : [line('application', textValue(application))]),
  ...signers.map((signer) => line('signer', addressValue(signer))),
  line('note', sentenceValue(solanaSentence('offchain', { version: textValue(`${version}`) }))),
]

export const rawTransaction = finding(
  'danger',
  'RAW_TRANSACTION',
  'Asks you to sign raw bytes that are a Solana transaction.',
  { field: 'message', fix: 'Do not sign it. Only text may be signed as a message.' },
)

/** Whether bytes are a transaction message. A wallet that signs such bytes as text signs the transaction. */
export function isTransactionMessage(message: Uint8Array): boolean {
  // Longer text is never a transaction, and copying it takes time.
  if (message.length > maxVersion1Length) return false
  // The signer count, which follows the version byte if there is one.
  const signers = message[(message[0] ?? 0) > 127 ? 1 : 0] ?? 0
  const signatures = Array.from({ length: signers }, () => new Uint8Array(64))
  return attempt(() => parseAnyVersion(encodeAnyVersion({ signatures, message }))) !== undefined
}

export declare namespace inspectMessage {
  type Options = Pick<inspectRequest.Options, 'wallet' | 'environment' | 'origin' | 'now'> & {
    message: string
    /** The off-chain message that encloses the text, if any. */
    offchain?: OffchainMessage | undefined
  }
  /** The fields of a sign-in in the service's layout; `undefined` for any other text. */
  type Details = { message: AuthMessage | undefined }
}

/** Text in the off-chain message envelope that hardware wallets use. */
type OffchainMessage = {
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
