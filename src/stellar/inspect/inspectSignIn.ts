import { BaseError } from '../../core/errors/baseError.ts'
import { checkAuthMessage } from '../authMessage/checkAuthMessage.ts'
import { checkChallenge } from '../authMessage/checkChallenge.ts'
import { addDanger, type InspectionContext, type InspectionResult } from './context.ts'

/** A text to sign. */
export function inspectMessage(message: string, context: InspectionContext): InspectionResult {
  const checked = attempt(context, () => checkAuthMessage(message, context))
  return [
    'signIn',
    checked ? `Sign in at ${checked.domain} as ${checked.address}.` : 'Sign a text.',
    undefined,
  ]
}

/** A transaction of sequence 0, which signs in and cannot land. */
export function inspectChallenge(transactionXdr: string, context: InspectionContext): InspectionResult {
  attempt(context, () => checkChallenge(transactionXdr, context))
  return ['signIn', `Sign in as ${context.address} by a transaction that cannot land.`, undefined]
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
