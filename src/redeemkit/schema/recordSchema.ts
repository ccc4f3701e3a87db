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
