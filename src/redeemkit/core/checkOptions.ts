import { InvalidOptionError } from './errors/inputErrors.ts'
import { describeType, showKey, showValue } from './errors/showValue.ts'

/** A `typeof` result, `list`, or `any` if the caller checks the option itself. An `object` may also be a function. */
type Kind = 'object' | 'function' | 'string' | 'number' | 'boolean' | 'list' | 'any'

/** The kind of an optional option ends with `?`. */
export type OptionKinds<options> = { readonly [name in keyof Required<options>]: Kind | `${Kind}?` }

/**
 * Rejects missing, unknown (perhaps misspelled) and wrongly typed options. `undefined` counts as absent. Errors show only the type and
 * length of a value, because it may be a misplaced private key.
 *
 * @param field the name of the object, if it is itself an option
 */
export function checkOptions<options extends object>(
  options: options,
  kinds: OptionKinds<options>,
  field = '',
): options {
  try {
    if (!isKind(options, 'object') || isPromise(options)) throw wrong(field || 'options', options, 'object')
    const at = field && `${field}.`
    for (const [name, value] of Object.entries(options))
      if (value !== undefined && !Object.hasOwn(kinds, name)) throw unknown(name, Object.keys(kinds), at)
    for (const [name, kind] of Object.entries<string>(kinds)) {
      const value: unknown = Reflect.get(options, name)
      if (value === undefined ? !/any|\?/.test(kind) : !isKind(value, kind))
        throw wrong(at + name, value, kind)
    }
  } catch (cause) {
    if (cause instanceof InvalidOptionError) throw cause
    // a getter or a proxy threw
    throw new InvalidOptionError('The options cannot be read.', {
      field: field || 'options',
      fix: 'Pass a plain object.',
      cause,
    })
  }
  return options
}

export declare namespace checkOptions {
  type ErrorType = InvalidOptionError
}

function isKind(value: unknown, kind: string): boolean {
  if (kind.startsWith('list')) return Array.isArray(value)
  if (kind.startsWith('object')) return Object(value) === value && !Array.isArray(value)
  return /any/.test(kind) || kind.startsWith(typeof value)
}

function wrong(field: string, value: unknown, kind: string): InvalidOptionError {
  return new InvalidOptionError(`${field} is ${describeType(value)}.`, {
    field,
    fix: `Pass ${isPromise(value) ? 'the result of the promise: use await' : wanted[kind.replace('?', '')]}.`,
  })
}

const wanted: Readonly<Record<string, string>> = {
  object: 'an object',
  function: 'a function',
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list',
}

/** A caller that forgets an `await` passes a promise. */
export function isPromise(value: unknown): boolean {
  return value instanceof Promise
}

function unknown(name: string, known: readonly string[], at: string): InvalidOptionError {
  // Suggest the known option that shares the most pairs of letters.
  const lower = name.slice(0, 48).toLowerCase()
  const likeness = (option: string) =>
    [...lower].filter((_, at) => option.toLowerCase().includes(lower.slice(at, at + 2))).length / lower.length
  const [best = ''] = [...known].sort((a, b) => likeness(b) - likeness(a))
  const hint = likeness(best) >= 0.5 ? `Did you mean ${best}? ` : ''
  return new InvalidOptionError(`There is no option ${showValue(name)}.`, {
    field: at + showKey(name),
    fix: `${hint}Known options: ${known.join(', ')}.`,
  })
}
