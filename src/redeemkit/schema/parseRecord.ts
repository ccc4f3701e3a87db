import * as z from 'zod/mini'
import type { InvalidRecordError } from '../core/errors/inputErrors.ts'
import { readRecord } from './readRecord.ts'

/**
 * Takes a value as a wire record, or says which field is wrong and what was expected.
 *
 * @param schema a schema of `redeemkit/schema`: strict as exported, or `loose(schema)` for what a service answered
 * @returns the record: a copy that holds the known fields (and, when loose, the others)
 * @throws {@link InvalidRecordError} for everything else, whatever the value is
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
