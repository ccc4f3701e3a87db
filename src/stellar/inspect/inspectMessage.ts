import { BaseError } from '../../core/errors/baseError.ts'
import { checkAuthMessage } from '../authMessage/checkAuthMessage.ts'
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

/** Runs a check that throws, and turns its error into a finding. */
export function attempt<value>(context: InspectionContext, check: () => value): value | undefined {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    addDanger(context, 'SIGN_IN', error.shortMessage, error.field)
    return undefined
  }
}
