import * as z from 'zod/mini'

/**
 * Returns a tolerant version of a strict schema, for responses of a service. At every depth, it keeps unknown fields, and `null` in an
 * optional field counts as absent. An `openEnum` accepts any text, an `orPlain` record may be plain text or a number, and a `returned`
 * field may be missing.
 *
 * @example
 * ```ts
 * import { loose, parseRecord, sendGaslessTxResponse } from 'redeemkit/schema'
 * parseRecord(loose(sendGaslessTxResponse), { hash: `0x${'00'.repeat(32)}`, block: 1 }) // keeps `block`
 * ```
 */
// @__NO_SIDE_EFFECTS__
export function loose<schema extends z.core.$ZodType>(schema: schema): Loose<schema> {
  // the known fields keep their types
  return loosen(schema) as Loose<schema>
}

type Loose<schema extends z.core.$ZodType> = z.ZodMiniType<
  loose.Output<schema>,
  z.input<MayLack<schema>> | PlainOf<schema>
>

type PlainOf<schema> = schema extends OrPlain ? string | number : never

/** Makes `returned` fields optional in the type, at the top level only. */
type MayLack<schema extends z.core.$ZodType> =
  schema extends z.ZodMiniObject<infer shape, infer config>
    ? z.ZodMiniObject<
        {
          [key in keyof shape]: shape[key] extends z.ZodMiniNonOptional<infer inner extends z.core.$ZodType>
            ? inner
            : shape[key]
        },
        config
      >
    : schema

export declare namespace loose {
  /** The record that the tolerant version of a schema returns. */
  type Output<schema extends z.core.$ZodType> = z.output<MayLack<schema>> | PlainOf<schema>
  type ErrorType = never
}

type AnyDef = z.core.$ZodTypeDef & {
  shape?: Record<string, z.core.$ZodType>
  element?: z.core.$ZodType
  innerType?: z.core.$ZodType
  options?: readonly z.core.$ZodType[]
  keyType?: z.core.$ZodType
  valueType?: z.core.$ZodType
  isOpen?: boolean
  isOrPlain?: boolean
}

function loosen(schema: z.core.$ZodType): z.core.$ZodType {
  const def: AnyDef = schema._zod.def
  return def.isOrPlain
    ? z.union([z.string(), z.number(), loosenParts(schema, def)])
    : loosenParts(schema, def)
}

function loosenParts(schema: z.core.$ZodType, def: AnyDef): z.core.$ZodType {
  const { shape, element, innerType, options, keyType, valueType } = def
  // a clone has the same class as the schema
  const rebuilt = (changes: object) => z.clone(schema, { ...def, ...changes } as z.core.$ZodTypeDef)
  if (shape) {
    const loosened = Object.fromEntries(Object.entries(shape).map(([key, value]) => [key, loosen(value)]))
    const record = rebuilt({ shape: loosened, catchall: z.unknown() })
    const { run } = record._zod
    record._zod.run = (payload, context) => {
      payload.value = withoutNulls(payload.value, loosened)
      return run(payload, context)
    }
    return record
  }
  // other services use further values
  if (def.isOpen) return z.string()
  if (keyType && valueType) return rebuilt({ keyType: z.string(), valueType: loosen(valueType) })
  // redeemkit's service always sends the field; others may omit it
  if (def.type === 'nonoptional' && innerType) return loosen(innerType)
  if (element) return rebuilt({ element: loosen(element) })
  if (innerType) return rebuilt({ innerType: loosen(innerType) })
  if (options) return rebuilt({ options: options.map(loosen) })
  return schema
}

/** Removes each field that is null but whose schema does not allow null. */
function withoutNulls(value: unknown, shape: Record<string, z.core.$ZodType>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const isAbsent = ([key, one]: [string, unknown]) => {
    const field = one === null && Object.hasOwn(shape, key) ? shape[key] : undefined
    return field !== undefined && !z.safeParse(field, null).success
  }
  const fields = Object.entries(value)
  return fields.some(isAbsent) ? Object.fromEntries(fields.filter((field) => !isAbsent(field))) : value
}

/** Creates an enum whose `loose` version accepts any text, because other services may use further values. */
// @__NO_SIDE_EFFECTS__
export function openEnum<const values extends readonly string[]>(
  values: values,
): z.ZodMiniType<values[number] | OtherText, values[number] | OtherText> {
  const one = z.enum(values)
  // Only `loose` reads `isOpen`.
  return z.clone(one, { ...one._zod.def, isOpen: true } as typeof one._zod.def) as unknown as z.ZodMiniType<
    values[number] | OtherText,
    values[number] | OtherText
  >
}

/** `string`, written so that editors still suggest the literals of the union. */
type OtherText = string & Record<never, never>

/** Creates a field that redeemkit's service always returns. Other services may omit it, so in a `loose` record it is optional. */
// @__NO_SIDE_EFFECTS__
export function returned<schema extends z.core.$ZodType>(schema: schema) {
  return z.nonoptional(z.optional(schema), 'expected a value')
}

/** Marks a schema whose `loose` version accepts plain text or a number. Type only. */
export type OrPlain = { readonly orPlain: true }

/** Creates a record whose `loose` version also accepts plain text or a number, which other services send. */
// @__NO_SIDE_EFFECTS__
export function orPlain<schema extends z.core.$ZodType>(schema: schema): schema & OrPlain {
  // Only `loose` reads `isOrPlain`, and `orPlain` exists in the type only.
  return z.clone(schema, { ...schema._zod.def, isOrPlain: true } as z.core.$ZodTypeDef) as unknown as schema &
    OrPlain
}
