import type { Transaction } from '@stellar/stellar-sdk'
import { BaseError } from '../../core/errors/baseError.ts'
import { showText } from '../../core/errors/showText.ts'
import { checkChallenge } from '../authMessage/checkChallenge.ts'
import { type AuthMessage, checkAuthMessage, parseAuthMessage } from '../authMessage/parseAuthMessage.ts'
import { addDanger, type InspectionContext } from './context.ts'

/** Maximum length of a sign-in. Its statement is shown in full, because the user agrees to all of it. */
const longestStatement = 4_000

/** Inspects a text. @returns its description, and its fields if it is a sign-in */
export function inspectMessage(
  message: string,
  context: InspectionContext,
): [summary: string, message: AuthMessage | undefined] {
  const parsed = attempt(() => parseAuthMessage(message))
  try {
    if (checkAuthMessage(message, context) === undefined)
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
    const says = typeof message === 'string' ? ` It says ${showText(message)}.` : ''
    return [`Sign a text.${says}`, undefined]
  }
  const { address, domain, statement } = parsed
  const says = statement === undefined ? '' : ` It says ${showText(statement, longestStatement)}.`
  return [`Sign in at ${showHost(domain)} as ${address}.${says}`, parsed]
}

/** Inspects a transaction of sequence 0, which signs in and can never be included. @returns its description */
export function inspectChallenge(
  transactionXdr: string,
  { operations, memo }: Transaction,
  context: InspectionContext,
): string {
  const address = context.user
  try {
    checkChallenge(transactionXdr, { ...context, address })
  } catch (error) {
    addRefusal(context, error)
  }
  const [first] = operations
  const site = first?.type === 'manageData' ? /^(.*) auth$/.exec(first.name)?.[1] : undefined
  const client = operations.find((operation) => 'name' in operation && operation.name === 'client_domain')
  const through = client?.type === 'manageData' && client.value?.toString()
  const user = memo.type === 'id' && `, user ${memo.value},`
  return `Sign in${site ? ` at ${showHost(site)}` : ''} as ${address}${through ? ` through ${showHost(through)}` : ''}${user || ''} by a transaction that cannot land.`
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
