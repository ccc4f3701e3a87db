import type { InvalidAuthMessageError } from '../../core/authMessage/authMessageErrors.ts'
import type { Environment } from '../../core/blockchains.ts'
import type { AuthExpectation } from '../../core/chainAdapter.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { type InvalidAddressError, InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { showText } from '../../core/errors/showText.ts'
import { type Finding, type Inspection, verdictOf } from '../../core/finding/finding.ts'
import { type AddressLike, parseAddress } from '../address/parseAddress.ts'
import { checkAuthMessage } from '../authMessage/checkAuthMessage.ts'
import { type AuthMessage, parseAuthMessage } from '../authMessage/parseAuthMessage.ts'
import type { InvalidBase58Error } from '../encoding.ts'
import type { networkOf } from '../networks.ts'

/** A statement is shown whole: what is cut off, nobody agreed to. Beyond this it is said how long it is. */
const longestStatement = 1_000

/**
 * Says what a text is that a wallet is asked to sign: a sign-in, where and as whom, with its statement, which is the service's
 * words, quoted; or plain text.
 *
 * @throws {@link InvalidOptionError} for a message that is no text; what an unknown environment, wallet or clock throws
 */
export function inspectMessage(options: inspectMessage.Options): Inspection<inspectMessage.Details> {
  const { message, environment, domains = [], now } = options
  if (typeof message !== 'string')
    throw new InvalidOptionError('The message is no text.', {
      field: 'message',
      fix: 'Give the text that the wallet is asked to sign.',
    })
  const address = parseAddress(options.wallet, { field: 'wallet' })
  const findings: Finding[] = []
  try {
    if (checkAuthMessage({ message, address, environment, domains, allowPlainText: true, now }) === undefined)
      findings.push({
        severity: 'warning',
        code: 'PLAIN_TEXT',
        message: 'It is not a sign-in message: what a signature of it is good for is open.',
        field: 'message',
        fix: 'Sign it only when you know who asked and why.',
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
  const words = parsed === undefined ? 'Sign a text.' : `Sign in at ${parsed.domain} as ${parsed.address}.`
  return {
    kind: 'signIn',
    summary: said === undefined ? words : `${words} It says ${showText(said, longestStatement)}.`,
    verdict: verdictOf(findings),
    findings,
    details: { message: parsed },
  }
}

export declare namespace inspectMessage {
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
