import type { Transaction } from '@stellar/stellar-sdk'
import { BaseError } from '../../core/errors/baseError.ts'
import { showText } from '../../core/errors/showText.ts'
import type { Inspection, InspectionLine, InspectionSentence } from '../../core/inspection/inspection.ts'
import { siteFindings, siteOf } from '../../core/inspection/site.ts'
import { addressValue, line, sentence, textValue, timeValue } from '../../core/inspection/values.ts'
import { unixSeconds } from '../../core/time/clock.ts'
import { checkChallenge } from '../authMessage/checkChallenge.ts'
import { type AuthMessage, checkAuthMessage, parseAuthMessage } from '../authMessage/parseAuthMessage.ts'
import { addDanger, type InspectionContext } from './context.ts'

/** Maximum length of a sign-in. Its statement is shown in full, because the user agrees to all of it. */
const longestStatement = 4_000

type SignIn = Pick<Inspection, 'kind'> & { sentences: InspectionSentence[]; lines: InspectionLine[] }

/** Inspects a text. `message` has its fields if it is a sign-in. */
export function inspectMessage(
  message: string,
  context: InspectionContext,
): SignIn & { message: AuthMessage | undefined } {
  const parsed = attempt(() => parseAuthMessage(message))
  const { origin } = context
  // without a page, the site is compared with itself
  const domains = origin === undefined ? [parsed?.domain ?? ''] : [siteOf(origin)]
  try {
    if (checkAuthMessage(message, { ...context, domains }) === undefined)
      context.findings.push({
        severity: 'warning',
        code: 'PLAIN_TEXT',
        message: 'It is not a sign-in message: the purpose of its signature is unknown.',
        field: 'message',
        fix: 'Sign it only if you know who asked and why.',
      })
  } catch (error) {
    addRefusal(context, error)
  }
  if (parsed === undefined) {
    const text = textValue(typeof message === 'string' ? showText(message) : '""')
    return {
      kind: 'text',
      sentences: [sentence('text', { text })],
      lines: [line('text', text)],
      message: undefined,
    }
  }
  const { address, domain, statement, uri, expiresAt } = parsed
  const site = textValue(showHost(domain))
  const account = addressValue(address)
  context.findings.push(...siteFindings(showHost(domain), { origin, urls: [uri] }))
  return {
    kind: 'signIn',
    sentences: [sentence('signIn', { site, account })],
    lines: [
      line('site', site),
      line('page', textValue(showText(uri))),
      ...(statement === undefined
        ? []
        : [line('statement', textValue(showText(statement, longestStatement)))]),
      line('until', timeValue(BigInt(Math.floor(expiresAt / 1000)), unixSeconds(context.now))),
    ],
    message: parsed,
  }
}

/** Inspects a transaction of sequence 0, which signs in and can never be included. */
export function inspectChallenge(
  transactionXdr: string,
  { operations, memo }: Transaction,
  context: InspectionContext,
): SignIn {
  const { origin, user: address } = context
  const [first] = operations
  const site = first?.type === 'manageData' ? /^(.*) auth$/.exec(first.name)?.[1] : undefined
  const domains = origin === undefined ? [site ?? ''] : [siteOf(origin)]
  try {
    checkChallenge(transactionXdr, { ...context, address, domains })
  } catch (error) {
    addRefusal(context, error)
  }
  context.findings.push(...siteFindings(showHost(site ?? ''), { origin, urls: [] }))
  const client = operations.find((operation) => 'name' in operation && operation.name === 'client_domain')
  const through = client?.type === 'manageData' ? client.value?.toString() : undefined
  const shown = textValue(showHost(site ?? ''))
  return {
    kind: 'signIn',
    sentences: [sentence('signIn.challenge', { site: shown, account: addressValue(address) })],
    lines: [
      line('site', shown),
      ...(through === undefined ? [] : [line('through', textValue(showHost(through)))]),
      ...(memo.type === 'id' ? [line('user', textValue(`${memo.value}`))] : []),
    ],
  }
}

/** Quotes a value that is not a host, as untrusted text. */
const showHost = (text: string) => (/^[\w.:-]+$/.test(text) ? text : showText(text))

function attempt<value>(read: () => value): value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Turns the error of a check into a finding. */
function addRefusal(context: InspectionContext, error: unknown): void {
  if (!(error instanceof BaseError)) throw error
  addDanger(context, 'SIGN_IN', error.shortMessage, error.field)
}
