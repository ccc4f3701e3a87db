import { BaseError } from '../../core/errors/baseError.ts'
import { checkAuthMessage } from '../authMessage/checkAuthMessage.ts'
import { checkChallenge } from '../authMessage/checkChallenge.ts'
import { addDanger, type InspectionContext } from './context.ts'

/** A text to sign. @returns what it is, in words */
export function inspectMessage(message: string, context: InspectionContext): string {
  try {
    const checked = checkAuthMessage(message, context)
    if (checked) return `Sign in at ${checked.domain} as ${checked.address}.`
    context.findings.push({
      severity: 'warning',
      code: 'PLAIN_TEXT',
      message: 'It is not a sign-in message: what a signature of it is good for is open.',
      field: 'message',
      fix: 'Sign it only when you know who asked and why.',
    })
  } catch (error) {
    addRefusal(context, error)
  }
  return 'Sign a text.'
}

/** A transaction of sequence 0, which signs in and cannot land. @returns what it is, in words */
export function inspectChallenge(transactionXdr: string, context: InspectionContext): string {
  try {
    checkChallenge(transactionXdr, context)
  } catch (error) {
    addRefusal(context, error)
  }
  return `Sign in as ${context.address} by a transaction that cannot land.`
}

/** Turns the error of a check into a finding. */
function addRefusal(context: InspectionContext, error: unknown): void {
  if (!(error instanceof BaseError)) throw error
  addDanger(context, 'SIGN_IN', error.shortMessage, error.field)
}
