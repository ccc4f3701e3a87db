import * as z from 'zod/mini'
// Not through `z.core`, which would bring all of it into a browser's bundle.
import { $constructor } from 'zod/v4/core'

type Options = readonly z.core.$ZodType[]

type Def = z.core.$ZodUnionDef<Options> & {
  pick: (value: Readonly<Record<string, unknown>>) => number | undefined
  by: string
  values: readonly string[]
}

// Named with its type, as an assertion function must be.
const ZodMiniUnion: z.core.$constructor<z.ZodMiniUnion> = z.ZodMiniUnion

const ZodOneOf: z.core.$constructor<z.ZodMiniUnion<Options>, Def> = $constructor('ZodOneOf', (inst, def) => {
  ZodMiniUnion.init(inst, def)
  inst._zod.parse = (payload, ctx) => {
    const { value } = payload
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      payload.issues.push({ code: 'invalid_type', expected: 'object', input: value, inst })
      return payload
    }
    // An object that is neither null nor a list: its fields may be read by name.
    const option = def.options[def.pick(value as Record<string, unknown>) ?? -1]
    if (option !== undefined) return option._zod.run(payload, ctx)
    payload.issues.push({
      code: 'invalid_value',
      values: [...def.values],
      input: value,
      path: [def.by],
      inst,
    })
    return payload
  }
})

/**
 * A union whose shape is told by a rule, not by trial: what is wrong is reported against the one shape that
 * was meant, with the path of the field, instead of against all of them.
 *
 * @param options the shapes, strict
 * @param rule `pick` gives the index of the shape that an object means, `undefined` when it means none; then
 * `by` is the field at fault and `values` are what may stand there
 */
// @__NO_SIDE_EFFECTS__
export function oneOf<const options extends Options>(
  options: options,
  rule: Pick<Def, 'pick'> & Partial<Pick<Def, 'by' | 'values'>>,
): z.ZodMiniType<z.output<options[number]>, z.input<options[number]>> {
  const { pick, by = '', values = [] } = rule
  // The constructor's type knows a union of anything; the options' own types are narrower.
  return new ZodOneOf({ type: 'union', options, pick, by, values }) as unknown as z.ZodMiniType<
    z.output<options[number]>,
    z.input<options[number]>
  >
}
