import * as z from 'zod/mini'
import type { InvalidRecordError } from '../core/errors/inputErrors.ts'
import { readRecord } from './readRecord.ts'

/**
 * Parses a value as a wire record, or reports which field is wrong and what was expected.
 *
 * @param schema a schema of `redeemkit/schema`: strict as exported, or `loose(schema)` for an answer of a service
 * @returns a copy with the known fields (and, if loose, the others)
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
