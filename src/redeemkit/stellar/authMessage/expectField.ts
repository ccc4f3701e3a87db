import {
  AuthMessageExpiredError,
  AuthMessageMismatchError,
  InvalidAuthMessageError,
} from '../../core/authMessage/authMessageErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'

/**
 * Holds one field of a sign-in against the values that it may have.
 *
 * @throws `AuthMessageMismatchError` for who and where, `AuthMessageExpiredError` for when, `InvalidAuthMessageError` for the rest
 */
export function expectField(value: unknown, field: string, allowed: readonly unknown[]): void {
  if (allowed.includes(value)) return
  const ErrorClass = /^(domain|address|network|uri)$/.test(field)
    ? AuthMessageMismatchError
    : /^(issuedAt|expirationTime|transaction.timeBounds)$/.test(field)
      ? AuthMessageExpiredError
      : InvalidAuthMessageError
  throw new ErrorClass(`The sign-in says ${showValue(value, 80)} for ${field}.`, {
    field,
    fix: `Do not sign it${allowed.length > 0 ? `; expected ${allowed.join(' or ')}` : ''}.`,
  })
}
