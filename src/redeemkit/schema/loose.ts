import * as z from 'zod/mini'

/**
 * The second strength of a record: the same fields with the same types, but unknown ones are kept instead of
 * refused, an optional field that is null counts as absent, and text stands where ours knows some words and others
 * have their own (`openEnum`): all at every depth. A record marked with `orPlain` may be a plain text or number. A field that the record
 * declares with `z.nonoptional` is optional here: our service always sends it, others may leave it out. For what a
 * service answers; what we send, and what others send to our service, is taken strictly.
 *
 * @example
 * ```ts
 * import { loose, parseRecord, sendGaslessTxResponse } from 'redeemkit/schema'
 * parseRecord(loose(sendGaslessTxResponse), { hash: `0x${'00'.repeat(32)}`, block: 1 }) // keeps `block`
 * ```
 */
// @__NO_SIDE_EFFECTS__
export function loose<schema extends z.core.$ZodType>(schema: schema): Loose<schema> {
  // Loosening changes which keys are refused and which may be missing, never the type of a known one.
  return loosen(schema) as Loose<schema>
}

type Loose<schema extends z.core.$ZodType> = z.ZodMiniType<
  z.output<MayLack<schema>> | PlainOf<schema>,
  z.input<MayLack<schema>> | PlainOf<schema>
>

type PlainOf<schema> = schema extends OrPlain ? string | number : never

/** Only the fields of the record itself can be declared so: of deeper ones the type would not tell. */
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
  // Each definition below is the schema's own with its parts loosened, hence of the same class.
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
  // Other services have words of their own for it.
  if (def.isOpen) return z.string()
  if (keyType && valueType) return rebuilt({ keyType: z.string(), valueType: loosen(valueType) })
  // Our service always sends such a field, others may leave it out.
  if (def.type === 'nonoptional' && innerType) return loosen(innerType)
  if (element) return rebuilt({ element: loosen(element) })
  if (innerType) return rebuilt({ innerType: loosen(innerType) })
  if (options) return rebuilt({ options: options.map(loosen) })
  return schema
}

/** The same object without the nulls of fields that know none: what was optional is absent then, and what was not is missing. */
function withoutNulls(value: unknown, shape: Record<string, z.core.$ZodType>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const isAbsent = ([key, one]: [string, unknown]) => {
    const field = one === null && Object.hasOwn(shape, key) ? shape[key] : undefined
    return field !== undefined && !z.safeParse(field, null).success
  }
  const fields = Object.entries(value)
  return fields.some(isAbsent) ? Object.fromEntries(fields.filter((field) => !isAbsent(field))) : value
}

/**
 * One of our words where other services have words of their own: strict, one of the values; `loose`, any text.
 */
// @__NO_SIDE_EFFECTS__
export function openEnum<const values extends readonly string[]>(
  values: values,
): z.ZodMiniType<values[number] | OtherText, values[number] | OtherText> {
  const one = z.enum(values)
  // The mark is read by `loose`. That other text may come is added to the type.
  return z.clone(one, { ...one._zod.def, isOpen: true } as typeof one._zod.def) as unknown as z.ZodMiniType<
    values[number] | OtherText,
    values[number] | OtherText
  >
}

/** Text, without making the words beside it disappear from a union. */
type OtherText = string & Record<never, never>

/** A schema whose `loose` reading takes a plain text or number, too. Of types only. */
export type OrPlain = { readonly orPlain: true }

/**
 * A record in whose place other services answer a plain text or number, which says less: strict, the record; `loose`,
 * either.
 */
// @__NO_SIDE_EFFECTS__
export function orPlain<schema extends z.core.$ZodType>(schema: schema): schema & OrPlain {
  // The mark is read by `loose`; the type carries it by a name that no schema has.
  return z.clone(schema, { ...schema._zod.def, isOrPlain: true } as z.core.$ZodTypeDef) as unknown as schema &
    OrPlain
}
