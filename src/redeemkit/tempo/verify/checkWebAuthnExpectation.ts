import { checkOptions } from '../../core/checkOptions.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { WebAuthnExpectation } from './webAuthnExpectation.ts'

/** The words that one may be. */
const choices = { userVerification: ['required', 'preferred'], crossOrigin: ['refuse', 'accept'] } as const

/**
 * Takes what a passkey's signature is held against. A word that is not understood would make the check laxer than its
 * caller believes, so none is passed over.
 *
 * @throws {@link InvalidOptionError} naming the option, and for an unknown one the nearest that is known
 */
export function checkWebAuthnExpectation(
  value: WebAuthnExpectation | undefined,
  field = 'webAuthn',
): WebAuthnExpectation {
  if (value === undefined) return {}
  checkOptions(
    value,
    { rpId: 'any', origins: 'any', userVerification: 'any', crossOrigin: 'any', topOrigins: 'any' },
    field,
  )
  const { rpId } = value
  if (rpId !== undefined && (typeof rpId !== 'string' || rpId === ''))
    throw invalid(`${field}.rpId`, rpId, 'Give the domain of the passkey, such as "shop.example".')
  for (const name of ['origins', 'topOrigins'] as const) {
    const list: unknown = value[name]
    if (list !== undefined && !(Array.isArray(list) && list.every((one) => typeof one === 'string')))
      throw invalid(`${field}.${name}`, list, 'Give a list, such as ["https://shop.example"].')
  }
  for (const name of ['userVerification', 'crossOrigin'] as const) {
    const [one, other] = choices[name]
    const word: unknown = value[name]
    if (word !== undefined && word !== one && word !== other)
      throw invalid(`${field}.${name}`, word, `Give "${one}" or "${other}".`)
  }
  return value
}

export declare namespace checkWebAuthnExpectation {
  type ErrorType = checkOptions.ErrorType
}

function invalid(field: string, value: unknown, fix: string): InvalidOptionError {
  return new InvalidOptionError(`A passkey cannot be held against ${showValue(value)}.`, {
    field,
    fix,
    docs: 'WebAuthn L3, section 7.2',
  })
}
