import type { InvalidAuthMessageError } from '../../core/authMessage/authMessageErrors.ts'
import { claimsSignIn } from '../../core/authMessage/isPlainText.ts'
import type { Environment } from '../../core/blockchains.ts'
import type { AuthExpectation } from '../../core/chainAdapter.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { type InvalidAddressError, InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { showText } from '../../core/errors/showText.ts'
import type { Finding } from '../../core/finding/finding.ts'
import { createInspection } from '../../core/inspection/createInspection.ts'
import type { Inspection, InspectionLine } from '../../core/inspection/inspection.ts'
import { siteFindings, siteOf } from '../../core/inspection/site.ts'
import {
  addressValue,
  dangersOf,
  findingSentence,
  line,
  refusal,
  sentence,
  textValue,
  timeValue,
} from '../../core/inspection/values.ts'
import { unixSeconds } from '../../core/time/clock.ts'
import { type AddressLike, parseAddress } from '../address.ts'
import { type AuthMessage, checkAuthMessage, parseAuthMessage } from '../authMessage/parseAuthMessage.ts'
import { checkOptions, invalidOption } from '../checkOptions.ts'
import type { InvalidBase58Error } from '../encoding.ts'
import { judgeInstruction } from '../instruction/decodeInstruction.ts'
import { instructionLayouts } from '../instruction/instructionLayouts.ts'
import type { networkOf } from '../networks.ts'
import { readTransaction, type TransactionLike } from '../transaction/parseTransaction.ts'
import type { LookupTable, TransactionDetails } from '../transaction/transactionDetails.ts'
import { readTransactionDetails } from '../transaction/transactionDetails.ts'
import type { ExpectedTransfer } from '../usdcTransfer/expectedTransfer.ts'
import { inspectUsdcTransfer } from '../usdcTransfer/inspectUsdcTransfer.ts'
import { describeEffect, solValue } from './describeEffect.ts'

/**
 * As `inspect`, for callers that pass their own options: it throws for what cannot be read.
 *
 * With `expected`, everything that the expected USDC transfer does not need is a danger: one instruction,
 * signer or written account too many, one account swapped. Without it, what costs the wallet something is a
 * warning, and what gives it away, or is not understood, is a danger; since nothing was compared, the verdict is
 * `caution` at best.
 *
 * @throws {@link InvalidTransactionError} {@link InvalidBase64Error} when it is no transaction at all;
 *   {@link InvalidAddressError} {@link InvalidAmountError} {@link UnknownNetworkError}
 *   {@link InvalidOptionError} for a bad expectation; {@link InvalidBase58Error}
 */
export function inspectRequest(options: inspectMessage.Options): Inspection<inspectMessage.Details>
export function inspectRequest(options: inspectRequest.Options): Inspection<inspectRequest.Details>
export function inspectRequest(
  options: inspectRequest.Options | inspectMessage.Options,
): Inspection<inspectRequest.Details | inspectMessage.Details> {
  const given = checkOptions(options)
  if ('message' in given) {
    if (!('transaction' in given)) return inspectMessage(given)
    throw invalidOption('message', given.message, 'Inspect one thing: a transaction or a message.')
  }
  const { transaction, wallet, expected, lookupTables, known } = given
  return expected === undefined
    ? inspectTransaction({ transaction, wallet, lookupTables, known })
    : inspectUsdcTransfer({ transaction, wallet, expected, lookupTables })
}

export declare namespace inspectRequest {
  type Options = {
    /**
     * Wire bytes, their base64 text, or a web3.js object. Signatures may be missing; present
     * ones must be valid.
     */
    transaction: TransactionLike
    /** The account that would sign. */
    wallet: AddressLike
    /** The expected transfer. Everything else is refused. */
    expected?: ExpectedTransfer | undefined
    /** The lookup tables that the transaction names. One that is not given is refused. */
    lookupTables?: readonly LookupTable[] | undefined
    /** Names of addresses that the wallet or its user knows. */
    known?: Readonly<Record<string, string>> | undefined
  }
  type Details = TransactionDetails
  type ErrorType = inspectUsdcTransfer.ErrorType | inspectMessage.ErrorType
}

function inspectTransaction(
  options: Omit<inspectRequest.Options, 'expected'>,
): Inspection<TransactionDetails> {
  const { details, findings } = readTransactionDetails(readTransaction(options.transaction), {
    layouts: instructionLayouts,
    lookupTables: options.lookupTables,
  })
  const wallet = parseAddress(options.wallet, { field: 'wallet' })
  const judged = details.instructions.map((instruction) => judgeInstruction(instruction, wallet))
  const fee: Finding = {
    severity: 'warning',
    code: 'CUSTOMER_PAYS_FEE',
    message: `The wallet pays the fee of ${details.feeLamports} lamports.`,
  }
  const uncompared: Finding = {
    severity: 'warning',
    code: 'NOT_COMPARED',
    message: 'You did not say what to expect, so this could not be compared with anything.',
    field: 'expected',
    fix: 'Pass the expected transfer.',
  }
  if (details.feePayer === wallet) findings.push(fee)
  findings.push(
    ...judged.map((finding, index) => ({ ...finding, field: `instructions[${index}]` })),
    uncompared,
  )
  const described = details.instructions.map((instruction) =>
    describeEffect(instruction, { wallet, known: options.known }),
  )
  const sentences = described.map(({ sentence }) => sentence)
  const bad = [
    ...sentences.filter((_, index) => judged[index]?.severity === 'danger'),
    // an instruction's own sentence says more than its finding
    ...findings
      .filter(({ severity, field }) => severity === 'danger' && field?.startsWith('instructions[') !== true)
      .map(findingSentence),
  ]
  // what configures or checks the transaction is not what it does
  const effects = sentences.filter((_, index) => judged[index]?.code !== 'INSTRUCTION')
  const { title, lines } = refusal(bad.length > 0 ? bad : [effects[0] ?? sentences[0] ?? sentence('empty')])
  return createInspection({
    kind: 'solanaTransaction',
    title,
    lines: [
      ...lines,
      ...described.flatMap((one) => [
        line('call', { type: 'sentence', sentence: one.sentence }),
        ...one.lines,
      ]),
      line('account', addressValue(wallet)),
      line('feePayer', addressValue(details.feePayer)),
      line('fee', solValue(details.feeLamports)),
    ],
    findings,
    moves: described.flatMap(({ moves }) => moves),
    grants: described.flatMap(({ grants }) => grants),
    details,
  })
}

/** A statement is shown in full, because the user agrees to all of it. Above this length, a finding gives the length. */
const longestStatement = 1_000

/**
 * Says what a text is that a wallet is asked to sign: a sign-in, where and as whom, with its statement, which is the service's
 * words, quoted; or plain text.
 *
 * @throws {@link InvalidOptionError} for a message that is no text; what an unknown environment, wallet or clock throws
 */
function inspectMessage(options: inspectMessage.Options): Inspection<inspectMessage.Details> {
  const { message, environment, origin, now } = options
  if (typeof message !== 'string')
    throw new InvalidOptionError('The message is not a string.', {
      field: 'message',
      fix: 'Pass the text that the wallet is asked to sign.',
    })
  const address = parseAddress(options.wallet, { field: 'wallet' })
  const findings: Finding[] = []
  const parsed = attempt(() => parseAuthMessage(message))
  try {
    // without a page, the site is compared with itself
    const domains = origin === undefined ? [parsed?.domain ?? ''] : [siteOf(origin)]
    if (checkAuthMessage({ message, address, environment, domains, allowPlainText: true, now }) === undefined)
      findings.push({
        severity: 'warning',
        code: 'PLAIN_TEXT',
        message: 'It is not a sign-in message: the purpose of its signature is unknown.',
        field: 'message',
        fix: 'Sign it only if you know who asked and why.',
      })
  } catch (error) {
    // A request that cannot be inspected is the caller's mistake.
    if (!(error instanceof BaseError) || !error.field?.startsWith('message')) throw error
    findings.push({
      severity: 'danger',
      code: 'SIGN_IN',
      message: error.shortMessage,
      field: error.field,
      fix: error.fix,
    })
  }
  if (isTransactionMessage(message))
    findings.unshift({
      severity: 'danger',
      code: 'RAW_TRANSACTION',
      message: 'Asks you to sign raw bytes that are a Solana transaction.',
      field: 'message',
      fix: 'Do not sign it. Only text may be signed as a message.',
    })
  if (parsed !== undefined)
    findings.push(...siteFindings(showText(parsed.domain), { origin, urls: [parsed.uri] }))
  const text = textValue(showText(message))
  const dangers = dangersOf(findings)
  const { title, lines } = refusal(
    dangers.length > 0
      ? dangers.map(findingSentence)
      : [
          parsed === undefined
            ? sentence('text', { text })
            : sentence('signIn', {
                site: textValue(showText(parsed.domain)),
                account: addressValue(parsed.address),
              }),
        ],
  )
  return createInspection({
    kind: parsed === undefined && !claimsSignIn(message) ? 'text' : 'signIn',
    title,
    lines: [
      ...lines,
      ...(parsed === undefined ? [line('text', text)] : signInLines(parsed, unixSeconds(now))),
    ],
    findings,
    details: { message: parsed },
  })
}

function signInLines(message: AuthMessage, now: bigint): InspectionLine[] {
  const { domain, uri, address, chainId, statement, expiresAt } = message
  return [
    line('site', textValue(showText(domain))),
    line('page', textValue(showText(uri))),
    line('account', addressValue(address)),
    line('chain', textValue(showText(chainId))),
    ...(statement === undefined ? [] : [line('statement', textValue(showText(statement, longestStatement)))]),
    line('until', timeValue(BigInt(Math.floor(expiresAt / 1000)), now)),
  ]
}

/** Whether a text is the bytes of a transaction's message: a wallet's signature of it would be one of the transaction. */
function isTransactionMessage(text: string): boolean {
  const bytes = new TextEncoder().encode(text)
  // the number of signers, after the version where there is one
  const signers = bytes[0] === 0x80 ? bytes[1] : bytes[0]
  if (signers === undefined || signers === 0 || signers > 12) return false
  const whole = new Uint8Array(1 + 64 * signers + bytes.length)
  whole[0] = signers
  whole.set(bytes, 1 + 64 * signers)
  return attempt(() => readTransaction(whole)) !== undefined
}

declare namespace inspectMessage {
  type Options = Pick<AuthExpectation, 'now'> & {
    /** The text to sign. */
    message: string
    /** The account that would sign. */
    wallet: AddressLike
    environment: Environment
    /** Origin of the page that asks. */
    origin?: string | undefined
  }
  /** The fields of a sign-in; `undefined` for another text. */
  type Details = { message: AuthMessage | undefined }
  type ErrorType =
    | checkAuthMessage.ErrorType
    | InvalidAuthMessageError
    | InvalidOptionError
    | networkOf.ErrorType
    | InvalidAddressError
    | InvalidBase58Error
}

function attempt<value>(read: () => value): value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
