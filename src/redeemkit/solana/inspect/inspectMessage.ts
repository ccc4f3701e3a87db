import { attempt } from '../../core/attempt.ts'
import { claimsSignIn } from '../../core/authMessage.ts'
import { unixSeconds } from '../../core/clock.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import { createInspection } from '../../core/inspection/createInspection.ts'
import type { Inspection, InspectionLine } from '../../core/inspection/inspection.ts'
import { judgeText, shownText, signInLines, signInSentence } from '../../core/inspection/judgeText.ts'
import { addressValue, line, sentenceValue, textValue, titleOf } from '../../core/inspection/values.ts'
import { parseAddress } from '../address.ts'
import { type AuthMessage, parseAuthMessage } from '../authMessage/parseAuthMessage.ts'
import { networkOf } from '../networks.ts'
import { encodeAnyVersion, maxVersion1Length, parseAnyVersion } from '../transaction/parseAnyVersion.ts'
import type { inspectRequest } from './inspectRequest.ts'
import { solanaSentence } from './instructionValues.ts'
import type { OffchainMessage } from './offchainMessage.ts'

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
