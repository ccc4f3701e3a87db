import { InvalidRecordError, type RecordIssue } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'

/** `parseRecord` with any schema that reads for itself, so that who reads without zod need not load it. */
export function readRecord<record>(
  schema: RecordSchema<record>,
  value: unknown,
  options: readRecord.Options = {},
): record {
  let result: ReadRecord<record>
  try {
    result = schema.safeParse(value)
  } catch (cause) {
    // A getter or a proxy of the caller's threw while it was read.
    throw new InvalidRecordError('The value cannot be read.', {
      field: options.field,
      fix: 'Give plain data, as JSON.parse makes it.',
      cause,
    })
  }
  if (result.success) return result.data
  const { field = '', hideValues = false } = options
  const issues = result.error.issues.flatMap((issue) => toIssues(issue, value, { prefix: field, hideValues }))
  const [first] = issues
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  throw new InvalidRecordError(
    `${options.record ?? 'The record'} is not what it must be: ${first?.path || 'the value'} ${first?.message}${more}.`,
    {
      field: first?.path || undefined,
      fix: options.fix ?? 'Correct this field; the records are described in redeemkit/schema.',
      issues,
    },
  )
}

export declare namespace readRecord {
  type Options = {
    /** Where the value stands in the caller's data: leads the paths of the issues. */
    field?: string | undefined
    /** What the value is called in the message. Default `The record`. */
    record?: string | undefined
    /** The way out. */
    fix?: string | undefined
    /** Shows no value in the message: for records that hold card data. */
    hideValues?: boolean | undefined
  }
  type ErrorType = InvalidRecordError
}

function toIssues(
  issue: SchemaIssue,
  root: unknown,
  { prefix, hideValues }: { prefix: string; hideValues: boolean },
): RecordIssue[] {
  const path = issue.path.reduce<string>((at, key) => pathTo(at, key, hideValues), prefix)
  if (issue.keys !== undefined)
    return issue.keys.map((key) => ({
      path: pathTo(path, key, hideValues),
      message: 'is not a field of this record',
    }))
  const expected =
    issue.values !== undefined
      ? `expected ${cut(issue.values.map((one) => showValue(one)).join(', '), 160)}`
      : issue.expected !== undefined && issue.message === 'Invalid input'
        ? `expected ${issue.expected}`
        : issue.message
  const value = issue.path.reduce<unknown>(
    // Read as zod read it a moment ago; anything but an object ends the walk.
    (at, key) =>
      typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined,
    root,
  )
  const is = value === undefined ? 'is missing' : hideValues ? 'cannot be used' : `is ${showValue(value)}`
  return [{ path, message: `${is}: ${expected}` }]
}

/** A field's place. A name that is no plain word is shown as any foreign text: it may be anything, a key in both senses. */
function pathTo(path: string, key: PropertyKey, hideValues: boolean): string {
  if (typeof key === 'string' && /^[A-Za-z_$][\w$-]{0,39}$/.test(key)) return `${path}${path && '.'}${key}`
  return `${path}[${typeof key === 'number' ? key : hideValues ? '…' : showValue(key, 60)}]`
}

function cut(text: string, length = 60): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/**
 * What is asked of a schema to read a record by it: those of zod have it, and so have the few of `light/`, by which a redeem reads
 * without zod.
 */
export type RecordSchema<record> = {
  safeParse: (value: unknown) => ReadRecord<record>
  /** The fields of an object, by name. */
  shape?: object
}

export type ReadRecord<record> =
  | { success: true; data: record }
  | { success: false; error: { issues: readonly SchemaIssue[] } }

/** What a schema says of a value that it does not take. */
export type SchemaIssue = {
  path: readonly PropertyKey[]
  message: string
  /** Fields that the record does not have. */
  keys?: readonly string[]
  /** What alone may stand there. */
  values?: readonly unknown[]
  /** The type that it must have. */
  expected?: string
}
