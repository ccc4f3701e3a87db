import * as z from 'zod/mini'

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
