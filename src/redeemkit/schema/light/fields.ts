import type { Format } from '../formats.ts'
import type { RecordSchema, SchemaIssue } from '../readRecord.ts'

/** Reads one value. What it returns beside an issue is not used. */
export type Field<value> = (given: unknown, at: Place) => value

type Place = { path: readonly PropertyKey[]; issues: SchemaIssue[]; isLoose: boolean }

/** A schema that refuses unknown fields: for what we send. */
// @__NO_SIDE_EFFECTS__
export const strict = <record>(field: Field<record>): RecordSchema<record> => schemaOf(field, false)

/** One for what a service answers, as `loose` makes it of zod's: unknown fields are kept, and null is an absent field. */
// @__NO_SIDE_EFFECTS__
export const loosely = <record>(field: Field<record>): RecordSchema<record> => schemaOf(field, true)

function schemaOf<record>(field: Field<record>, isLoose: boolean): RecordSchema<record> {
  return {
    safeParse: (value) => {
      const issues: SchemaIssue[] = []
      const data = field(value, { path: [], issues, isLoose })
      return issues.length > 0 ? { success: false, error: { issues } } : { success: true, data }
    },
  }
}

/** @param format what it must be besides a text; what takes none but hexadecimal has that type */
// @__NO_SIDE_EFFECTS__
export function text<value extends string = string>(format?: Format<string>): Field<value> {
  return (given, at) => {
    if (typeof given !== 'string') return refuse(at, { message: 'expected string' })
    if (format && !format.matches(given)) return refuse(at, { message: format.expected })
    // A format of hexadecimal text begins with 0x, which is all that the narrower type says.
    return given as value
  }
}

// @__NO_SIDE_EFFECTS__
export function number({ matches, expected }: Format<number>): Field<number> {
  return (given, at) =>
    typeof given === 'number' && matches(given) ? given : refuse(at, { message: expected })
}

// @__NO_SIDE_EFFECTS__
export function word<const value extends string>(expected: value): Field<value> {
  return (given, at) =>
    given === expected ? expected : refuse(at, { message: 'Invalid input', values: [expected] })
}

/** A text of its own format, or a number; `numberFormat` says, too, what is expected of what is neither. */
// @__NO_SIDE_EFFECTS__
export function textOrNumber(
  textFormat: Format<string>,
  numberFormat: Format<number>,
): Field<string | number> {
  return (given, at) =>
    typeof given === 'string' ? text(textFormat)(given, at) : number(numberFormat)(given, at)
}

// @__NO_SIDE_EFFECTS__
export function optional<value>(field: Field<value>): Field<value | undefined> {
  return (given, at) => (given === undefined ? undefined : field(given, at))
}

// @__NO_SIDE_EFFECTS__
export function listOf<value>(field: Field<value>): Field<value[]> {
  return (given, at) =>
    Array.isArray(given)
      ? given.map((one, index) => field(one, { ...at, path: [...at.path, index] }))
      : refuse(at, { message: 'expected array' })
}

/** Any object; what it holds is not looked at. */
export const anyObject: Field<Record<string, unknown>> = (given, at) =>
  isObject(given) ? copy(given, Object.keys(given)) : refuse(at, { message: 'expected record' })

/** An object of these fields, in this order. */
// @__NO_SIDE_EFFECTS__
export function object<record extends object>(
  fields: {
    [key in keyof record]-?: Field<record[key]>
  },
): Field<record> {
  return (given, at) => {
    if (!isObject(given)) return refuse(at, { message: 'expected object' })
    const read: Record<string, unknown> = {}
    for (const key in fields) {
      const value = at.isLoose && given[key] === null ? undefined : given[key]
      const one = fields[key](value, { ...at, path: [...at.path, key] })
      if (one !== undefined) read[key] = one
    }
    const others = Object.keys(given).filter((key) => !Object.hasOwn(fields, key))
    if (!at.isLoose && others.length > 0) refuse(at, { message: 'Invalid input', keys: others })
    // Each field was read by the field of its type; a refused one is not used.
    return { ...read, ...(at.isLoose && copy(given, others)) } as record
  }
}

/** One of several objects, chosen by a look at the fields. */
// @__NO_SIDE_EFFECTS__
export function chosen<record>(choose: (given: Record<string, unknown>) => Field<record>): Field<record> {
  return (given, at) =>
    isObject(given) ? choose(given)(given, at) : refuse(at, { message: 'expected object' })
}

/** An own `__proto__`, which JSON may have, would become the copy's prototype. */
function copy(given: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  const copied: Record<string, unknown> = {}
  for (const key of keys) if (key !== '__proto__') copied[key] = given[key]
  return copied
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuse({ path, issues }: Place, issue: Omit<SchemaIssue, 'path'>): never {
  issues.push({ path, ...issue })
  // The issue is the answer: nobody uses what stands beside it.
  return undefined as never
}
