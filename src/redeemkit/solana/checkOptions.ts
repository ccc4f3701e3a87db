import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'

/** Rejects missing options of callers without TypeScript. */
export function checkOptions<options>(options: options, field = 'options'): options {
  if (typeof options === 'object' && options !== null) return options
  throw invalidOption(field, options, 'Pass an object.')
}

export function invalidOption(field: string, value: unknown, fix: string): InvalidOptionError {
  return new InvalidOptionError(`${showValue(value)} is invalid.`, { field, fix })
}

export function checkChoice(field: string, value: unknown, choices: readonly unknown[]): void {
  const texts = choices.map((choice) => JSON.stringify(choice))
  if (value !== undefined && !choices.includes(value))
    throw invalidOption(field, value, `Pass ${texts.join(' or ')}, or omit it.`)
}
