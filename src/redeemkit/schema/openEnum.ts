import * as z from 'zod/mini'

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
