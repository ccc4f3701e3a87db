import type { InvalidAuthMessageError } from '../../core/authMessage/authMessageErrors.ts'
import type { Environment } from '../../core/blockchains.ts'
import type { AuthExpectation } from '../../core/chainAdapter.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { type InvalidAddressError, InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { showText } from '../../core/errors/showText.ts'
import type { Finding } from '../../core/finding/finding.ts'
import { createInspection, type Inspection } from '../../core/inspection/inspection.ts'
import { sentence, textValue } from '../../core/inspection/values.ts'
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

/**
 * Says what a transaction does, or what a text to sign is (`{ message, wallet, environment, domains }`), and what is wrong with
 * it, before anybody signs.
 *
 * With `expected`, everything that the expected USDC transfer does not need is a danger: one instruction,
 * signer or written account too many, one account swapped. Without it, what costs the wallet something is a
 * warning, and what gives it away, or is not understood, is a danger; since nothing was compared, the verdict is
 * `caution` at best.
 *
 * @returns verdict `refuse` when it must not be signed; `details` with every instruction decoded
 * @throws {@link InvalidTransactionError} {@link InvalidBase64Error} when it is no transaction at all;
 *   {@link InvalidAddressError} {@link InvalidAmountError} {@link UnknownNetworkError}
 *   {@link InvalidOptionError} for a bad expectation; {@link InvalidBase58Error}
 * @example
 * ```ts
 * import { inspect } from 'redeemkit/solana'
 *
 * declare const transaction: string // base64, from the service
 * const { verdict, summary } = inspect({ transaction, wallet: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' })
 * ```
 */
export function inspect(options: inspectMessage.Options): Inspection<inspectMessage.Details>
export function inspect(options: inspect.Options): Inspection<inspect.Details>
export function inspect(
  options: inspect.Options | inspectMessage.Options,
): Inspection<inspect.Details | inspectMessage.Details> {
  const given = checkOptions(options)
  if ('message' in given) {
    if (!('transaction' in given)) return inspectMessage(given)
    throw invalidOption('message', given.message, 'Inspect one thing: a transaction or a message.')
  }
  const { transaction, wallet, expected, lookupTables } = given
  return expected === undefined
    ? inspectTransaction({ transaction, wallet, lookupTables })
    : inspectUsdcTransfer({ transaction, wallet, expected, lookupTables })
}

export declare namespace inspect {
  type Options = {
    /**
     * Wire bytes, their base64 text, or a web3.js object. Signatures may be missing; those that are there
     * must be right.
     */
    transaction: TransactionLike
    /** Who is asked to sign. */
    wallet: AddressLike
    /** The transfer that was asked for. Everything else is refused. */
    expected?: ExpectedTransfer | undefined
    /** The lookup tables that the transaction names. One that is not given is refused. */
    lookupTables?: readonly LookupTable[] | undefined
  }
  type Details = TransactionDetails
  type ErrorType = inspectUsdcTransfer.ErrorType | inspectMessage.ErrorType
}

function inspectTransaction(options: Omit<inspect.Options, 'expected'>): Inspection<TransactionDetails> {
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
    message: 'Nothing was expected, so nothing was compared.',
    field: 'expected',
    fix: 'Pass the expected transfer.',
  }
  if (details.feePayer === wallet) findings.push(fee)
  findings.push(
    ...judged.map((finding, index) => ({ ...finding, field: `instructions[${index}]` })),
    uncompared,
  )
  const summary = `A transaction that does this: ${judged.map(({ message }) => message).join('; ')}.`
  return createInspection({
    kind: 'solanaTransaction',
    title: sentence('plain', { text: textValue(summary) }),
    findings,
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
  const { message, environment, domains = [], now } = options
  if (typeof message !== 'string')
    throw new InvalidOptionError('The message is not a string.', {
      field: 'message',
      fix: 'Pass the text that the wallet is asked to sign.',
    })
  const address = parseAddress(options.wallet, { field: 'wallet' })
  const findings: Finding[] = []
  try {
    if (checkAuthMessage({ message, address, environment, domains, allowPlainText: true, now }) === undefined)
      findings.push({
        severity: 'warning',
        code: 'PLAIN_TEXT',
        message: 'It is not a sign-in message: the purpose of its signature is unknown.',
        field: 'message',
        fix: 'Sign it only if you know who asked and why.',
      })
  } catch (error) {
    // What cannot be inspected at all is the caller's mistake.
    if (!(error instanceof BaseError) || !error.field?.startsWith('message')) throw error
    findings.push({
      severity: 'danger',
      code: 'SIGN_IN',
      message: error.shortMessage,
      field: error.field,
      fix: error.fix,
    })
  }
  const parsed = attempt(() => parseAuthMessage(message))
  const said = parsed === undefined ? message : parsed.statement
  const text = parsed === undefined ? 'Sign a text.' : `Sign in at ${parsed.domain} as ${parsed.address}.`
  const summary = said === undefined ? text : `${text} It says ${showText(said, longestStatement)}.`
  return createInspection({
    kind: 'signIn',
    title: sentence('plain', { text: textValue(summary) }),
    findings,
    details: { message: parsed },
  })
}

declare namespace inspectMessage {
  type Options = Pick<AuthExpectation, 'now'> & {
    /** The text to sign. */
    message: string
    /** Who is asked to sign. */
    wallet: AddressLike
    environment: Environment
    /** Hosts (with port, when there is one) that may ask for a sign-in: the page's own. */
    domains?: readonly string[] | undefined
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
