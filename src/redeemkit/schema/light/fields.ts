import type { Format } from '../formats.ts'
import type { RecordSchema, SchemaIssue } from '../readRecord.ts'

/** Reads one value. If it is invalid, adds an issue, and the caller ignores the result. */
export type Field<value> = (given: unknown, at: Place) => value

type Place = { path: readonly PropertyKey[]; issues: SchemaIssue[]; isLoose: boolean }

/** For the client's own data. */
// @__NO_SIDE_EFFECTS__
export const strict = <record>(field: Field<record>): RecordSchema<record> => schemaOf(field, false)

/** For responses: like `loose`, keeps unknown fields, and null counts as absent. */
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

/** A hexadecimal format returns `Hex`. */
// @__NO_SIDE_EFFECTS__
export function text<value extends string = string>(format?: Format<string>): Field<value> {
  return (given, at) => {
    if (typeof given !== 'string') return refuse(at, { message: 'expected string' })
    if (format && !format.matches(given)) return refuse(at, { message: format.expected })
    // Hexadecimal formats accept only text with 0x, as the type requires.
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

export const anyObject: Field<Record<string, unknown>> = (given, at) =>
  isRecord(given) ? copy(given, Object.keys(given)) : refuse(at, { message: 'expected record' })

// @__NO_SIDE_EFFECTS__
export function object<record extends object>(
  fields: {
    [key in keyof record]-?: Field<record[key]>
  },
): Field<record> {
  return (given, at) => {
    if (!isRecord(given)) return refuse(at, { message: 'expected object' })
    const read: Record<string, unknown> = {}
    for (const key in fields) {
      const value = at.isLoose && given[key] === null ? undefined : given[key]
      const one = fields[key](value, { ...at, path: [...at.path, key] })
      if (one !== undefined) read[key] = one
    }
    const others = Object.keys(given).filter((key) => !Object.hasOwn(fields, key))
    if (!at.isLoose && others.length > 0) refuse(at, { message: 'Invalid input', keys: others })
    // Each field's reader returns the type of its key, and callers ignore an invalid record.
    return { ...read, ...(at.isLoose && copy(given, others)) } as record
  }
}

// @__NO_SIDE_EFFECTS__
export function chosen<record>(choose: (given: Record<string, unknown>) => Field<record>): Field<record> {
  return (given, at) =>
    isRecord(given) ? choose(given)(given, at) : refuse(at, { message: 'expected object' })
}

/** Assigning `__proto__` would set the prototype of the copy. */
function copy(given: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  const copied: Record<string, unknown> = {}
  for (const key of keys) if (key !== '__proto__') copied[key] = given[key]
  return copied
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuse({ path, issues }: Place, issue: Omit<SchemaIssue, 'path'>): never {
  issues.push({ path, ...issue })
  // Callers ignore the value, because there is an issue.
  return undefined as never
}
