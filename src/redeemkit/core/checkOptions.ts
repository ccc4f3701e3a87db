import { InvalidOptionError } from './errors/inputErrors.ts'
import { describeType, showKey, showValue } from './errors/showValue.ts'

/** What an option may be: as `typeof` says it, `list`, or `any` where its own check follows. An `object` may be a function. */
type Kind = 'object' | 'function' | 'string' | 'number' | 'boolean' | 'list' | 'any'

/** Every option of a function, and what it may be; `?` behind it when it may be left out. */
export type OptionKinds<options> = { readonly [name in keyof Required<options>]: Kind | `${Kind}?` }

/**
 * Takes an object of options: the ones that must be there, each of its kind, and none that the function does not know. A
 * misspelt one would else be left out in silence. What is given as `undefined` counts as left out.
 *
 * Values are named by type and length only: whoever mixes options up may have put a key where another belongs.
 *
 * @param field what the object is called, where it is an option itself
 * @throws {@link InvalidOptionError} naming the option, and for an unknown one the nearest that is known
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
    // a proxy or a getter that throws
    throw new InvalidOptionError('The options cannot be read.', {
      field: field || 'options',
      fix: 'Give a plain object.',
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
    fix: `Give ${isPromise(value) ? 'what it resolves to: await it' : wanted[kind.replace('?', '')]}.`,
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

/** Whether somebody forgot to wait for a value. */
export function isPromise(value: unknown): boolean {
  return value instanceof Promise
}

function unknown(name: string, known: readonly string[], at: string): InvalidOptionError {
  // the known one that has most of its pairs of letters
  const lower = name.slice(0, 48).toLowerCase()
  const likeness = (option: string) =>
    [...lower].filter((_, at) => option.toLowerCase().includes(lower.slice(at, at + 2))).length / lower.length
  const [best = ''] = [...known].sort((a, b) => likeness(b) - likeness(a))
  const hint = likeness(best) >= 0.5 ? `Did you mean ${best}? ` : ''
  return new InvalidOptionError(`There is no option ${showValue(name)}.`, {
    field: at + showKey(name),
    fix: `${hint}There are ${known.join(', ')}.`,
  })
}
