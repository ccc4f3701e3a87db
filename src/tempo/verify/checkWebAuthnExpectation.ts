import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { checkKeys } from '../../evm/values/checkKeys.ts'
import type { WebAuthnExpectation } from './webAuthnExpectation.ts'

/**
 * Takes what a passkey's signature is held against. A word that is not understood would make the check laxer than its
 * caller believes, so none is passed over.
 *
 * @throws {@link InvalidWebAuthnExpectationError}, {@link UnknownFieldError}, {@link InvalidRecordError}
 */
export function checkWebAuthnExpectation(value: unknown, field = 'webAuthn'): WebAuthnExpectation {
  if (value === undefined) return {}
  const record = checkKeys(value, field, { required: [], optional: ['rpId', 'origins', 'userVerification'] })
  const { origins, rpId, userVerification } = record
  if (rpId !== undefined && (typeof rpId !== 'string' || rpId === ''))
    throw invalid(`${field}.rpId`, rpId, 'Give the domain of the passkey, such as "shop.example".')
  if (origins !== undefined && !(Array.isArray(origins) && origins.every((one) => typeof one === 'string')))
    throw invalid(`${field}.origins`, origins, 'Give a list, such as ["https://shop.example"].')
  if (userVerification !== undefined && userVerification !== 'required' && userVerification !== 'preferred')
    throw invalid(`${field}.userVerification`, userVerification, 'Give "required" or "preferred".')
  // each field was checked above
  return record as WebAuthnExpectation
}

function invalid(field: string, value: unknown, fix: string): InvalidWebAuthnExpectationError {
  return new InvalidWebAuthnExpectationError(`A passkey cannot be held against ${showValue(value)}.`, {
    field,
    fix,
    docs: 'WebAuthn L2, section 7.2',
  })
}

/** What a passkey's signature should be held against, and cannot be. */
export class InvalidWebAuthnExpectationError extends BaseError {
  override readonly name = 'InvalidWebAuthnExpectationError'
}
