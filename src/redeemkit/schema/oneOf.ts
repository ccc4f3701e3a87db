import * as z from 'zod/mini'
// importing `z.core` would add all of zod's core to a browser bundle
import { $constructor } from 'zod/v4/core'
import type { SchemaOf } from './values.ts'

type Options = Readonly<Record<string, z.core.$ZodType>>

type Rule<name extends string> = {
  pick: (value: Readonly<Record<string, unknown>>) => name | undefined
  by: string
  values: readonly string[]
}

/** `names` has the names of `options`, in the same order: `loose` replaces `options`. */
type Def = z.core.$ZodUnionDef & Rule<string> & { names: readonly string[] }

// TypeScript requires an explicit type for an assertion function
const ZodMiniUnion: z.core.$constructor<z.ZodMiniUnion> = z.ZodMiniUnion

const ZodOneOf: z.core.$constructor<z.ZodMiniUnion, Def> = $constructor('ZodOneOf', (inst, def) => {
  ZodMiniUnion.init(inst, def)
  inst._zod.parse = (payload, ctx) => {
    const { value } = payload
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      payload.issues.push({ code: 'invalid_type', expected: 'object', input: value, inst })
      return payload
    }
    // A plain object, by the check above.
    const option = def.options[def.names.indexOf(def.pick(value as Record<string, unknown>) ?? '')]
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

/** Errors are about the option that `pick` names. If it returns `undefined`, the error names the field `by` and the allowed `values`. */
// @__NO_SIDE_EFFECTS__
export function oneOf<options extends Options>(
  byName: options,
  rule: Pick<Rule<keyof options & string>, 'pick'> & Partial<Pick<Rule<string>, 'by' | 'values'>>,
): SchemaOf<z.output<options[keyof options]>> {
  const { pick, by = '', values = [] } = rule
  const [names, options] = [Object.keys(byName), Object.values(byName)]
  // The constructor's type does not include the options' types.
  return new ZodOneOf({ type: 'union', options, names, pick, by, values }) as unknown as SchemaOf<
    z.output<options[keyof options]>
  >
}
