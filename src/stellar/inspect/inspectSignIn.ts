import { BaseError } from '../../core/errors/baseError.ts'
import { checkAuthMessage } from '../authMessage/checkAuthMessage.ts'
import { checkChallenge } from '../authMessage/checkChallenge.ts'
import { addDanger, type InspectionContext } from './context.ts'

/** A text to sign. @returns what it is, in words */
export function inspectMessage(message: string, context: InspectionContext): string {
  const checked = attempt(context, () => checkAuthMessage(message, context))
  return checked ? `Sign in at ${checked.domain} as ${checked.address}.` : 'Sign a text.'
}

/** A transaction of sequence 0, which signs in and cannot land. @returns what it is, in words */
export function inspectChallenge(transactionXdr: string, context: InspectionContext): string {
  attempt(context, () => checkChallenge(transactionXdr, context))
  return `Sign in as ${context.address} by a transaction that cannot land.`
}

/** Runs a check that throws, and turns its error into a finding. */
function attempt<value>(context: InspectionContext, check: () => value): value | undefined {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    addDanger(context, 'SIGN_IN', error.shortMessage, error.field)
    return undefined
  }
}
