import * as z from 'zod/mini'
import type { InvalidRecordError } from '../core/errors/inputErrors.ts'
import { readRecord } from './readRecord.ts'

/**
 * Parses a value as a record of the protocol. The error names the invalid field and what was expected.
 *
 * @param schema a schema of `redeemkit/schema`: as exported for your own data, or `loose(schema)` for a response of a service
 * @returns a copy of the record; with `loose`, including unknown fields
 * @throws {@link InvalidRecordError} for an invalid value
 * @example
 * ```ts
 * import { parseRecord, subtotal } from 'redeemkit/schema'
 * parseRecord(subtotal, { cents: 1000 }, { field: 'subtotal' })
 * ```
 */
export function parseRecord<schema extends z.core.$ZodType>(
  schema: schema,
  value: unknown,
  options: parseRecord.Options = {},
): z.output<schema> {
  return readRecord({ safeParse: (one) => z.safeParse(schema, one) }, value, options)
}

export declare namespace parseRecord {
  type Options = readRecord.Options
  type ErrorType = InvalidRecordError
}
