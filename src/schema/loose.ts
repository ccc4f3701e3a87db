import * as z from 'zod/mini'

/**
 * The second strength of a record: the same fields with the same types, but unknown ones are kept instead of
 * refused, at every depth. For what a service answers; what we send, and what others send to our service, is
 * taken strictly.
 *
 * @example
 * ```ts
 * import { loose, parseRecord, sendGaslessTxResponse } from 'redeemkit/schema'
 * parseRecord(loose(sendGaslessTxResponse), { hash: `0x${'00'.repeat(32)}`, block: 1 }) // keeps `block`
 * ```
 */
// @__NO_SIDE_EFFECTS__
export function loose<schema extends z.core.$ZodType>(
  schema: schema,
): z.ZodMiniType<z.output<schema>, z.input<schema>> {
  // Loosening changes which keys are refused, never the type of a known one.
  return loosen(schema) as z.ZodMiniType<z.output<schema>, z.input<schema>>
}

export declare namespace loose {
  type ErrorType = never
}

type AnyDef = z.core.$ZodTypeDef & {
  shape?: Record<string, z.core.$ZodType>
  element?: z.core.$ZodType
  innerType?: z.core.$ZodType
  options?: readonly z.core.$ZodType[]
}

function loosen(schema: z.core.$ZodType): z.core.$ZodType {
  const def: AnyDef = schema._zod.def
  const { shape, element, innerType, options } = def
  // Each definition below is the schema's own with its parts loosened, hence of the same class.
  const rebuilt = (changes: object) => z.clone(schema, { ...def, ...changes } as z.core.$ZodTypeDef)
  if (shape)
    return rebuilt({
      shape: Object.fromEntries(Object.entries(shape).map(([key, value]) => [key, loosen(value)])),
      catchall: z.unknown(),
    })
  if (element) return rebuilt({ element: loosen(element) })
  if (innerType) return rebuilt({ innerType: loosen(innerType) })
  if (options) return rebuilt({ options: options.map(loosen) })
  return schema
}
