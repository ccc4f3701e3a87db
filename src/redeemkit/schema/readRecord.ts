import { InvalidRecordError, type RecordIssue } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'

/** Like `parseRecord`, but works without zod: any schema with `safeParse` will do. */
export function readRecord<record>(
  schema: RecordSchema<record>,
  value: unknown,
  options: readRecord.Options = {},
): record {
  let result: ReadRecord<record>
  try {
    result = schema.safeParse(value)
  } catch (cause) {
    // a getter or a proxy threw
    throw new InvalidRecordError('The value cannot be read.', {
      field: options.field,
      fix: 'Pass plain data, as JSON.parse returns it.',
      cause,
    })
  }
  if (result.success) return result.data
  const { field = '', hideValues = false } = options
  const issues = result.error.issues.flatMap((issue) => toIssues(issue, value, { prefix: field, hideValues }))
  const [first] = issues
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  throw new InvalidRecordError(
    `${options.record ?? 'The record'} is invalid: ${first?.path || 'the value'} ${first?.message}${more}.`,
    {
      field: first?.path || undefined,
      fix: options.fix ?? 'Correct this field; the records are described in redeemkit/schema.',
      issues,
    },
  )
}

export declare namespace readRecord {
  type Options = {
    /** Path of the value in the caller's data. It is the prefix of the paths of all issues. */
    field?: string | undefined
    /** Name of the value in the message. Default `The record`. */
    record?: string | undefined
    /** How to fix the problem. */
    fix?: string | undefined
    /** Omits values from messages, for records with card data. */
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
    // follows the path as zod does; only objects have fields
    (at, key) =>
      typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined,
    root,
  )
  const is = value === undefined ? 'is missing' : hideValues ? 'cannot be used' : `is ${showValue(value)}`
  return [{ path, message: `${is}: ${expected}` }]
}

/** Quotes and shortens a name that is not a plain word, because it may be any text, even a secret. */
function pathTo(path: string, key: PropertyKey, hideValues: boolean): string {
  if (typeof key === 'string' && /^[A-Za-z_$][\w$-]{0,39}$/.test(key)) return `${path}${path && '.'}${key}`
  return `${path}[${typeof key === 'number' ? key : hideValues ? '…' : showValue(key, 60)}]`
}

function cut(text: string, length = 60): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/** The parts of a schema that `readRecord` uses. The schemas of zod and of `light.ts` have these. */
export type RecordSchema<record> = {
  safeParse: (value: unknown) => ReadRecord<record>
  /** The fields of an object, by name. */
  shape?: object
  /** Present if any response is valid, even an empty body or plain text. */
  isAny?: true
}

export type ReadRecord<record> =
  | { success: true; data: record }
  | { success: false; error: { issues: readonly SchemaIssue[] } }

/** One issue of an invalid value. */
export type SchemaIssue = {
  path: readonly PropertyKey[]
  message: string
  /** The names of unknown fields. */
  keys?: readonly string[]
  /** The allowed values. */
  values?: readonly unknown[]
  /** The expected type. */
  expected?: string
}
