import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import vector from '../../../test/vectors/wire-records.json' with { type: 'json' }
import * as schema from './index.ts'

/** The schemas contain every field and every literal of PROTOCOL.md 2 and 11. */

type Def = z.core.$ZodTypeDef & {
  shape?: Record<string, z.core.$ZodType>
  element?: z.core.$ZodType
  innerType?: z.core.$ZodType
  valueType?: z.core.$ZodType
  options?: readonly z.core.$ZodType[]
  entries?: Record<string, string>
  values?: readonly unknown[]
}

/** A statement of the vector about one field. */
type Claim = { path: string[]; presence: 'must' | 'may' | 'open'; isNullable: boolean; words?: string[] }

const records = new Map(
  Object.entries(schema).flatMap(([name, value]): [string, z.core.$ZodType][] =>
    typeof value === 'object' && '_zod' in value ? [[name, value]] : [],
  ),
)
const lists: Record<string, string> = { currencies: vector.currencies, blockchains: vector.blockchains }
const groups: Record<string, string[]> = vector.groups

/** A line with alternatives in braces is one line for each of them. */
function alternatives(line: string): string[] {
  const [whole, names] = /\{([^}]+)\}/.exec(line) ?? []
  if (whole === undefined || names === undefined) return [line]
  return names.split(' ').flatMap((name) => alternatives(line.replace(whole, name)))
}

function claimsOf(line: string): Claim[] {
  return alternatives(line).map((one) => {
    const [, path = '', mark, nullable, words] = /^([^\s?~]+)([?~]?)( null)?(?: = (.+))?$/.exec(one) ?? []
    return {
      path: path.split(/\.|(?=\[\])/),
      presence: mark === '?' ? 'may' : mark === '~' ? 'open' : 'must',
      isNullable: nullable !== undefined,
      ...(words && { words: (words.startsWith('@') ? (lists[words.slice(1)] ?? '') : words).split(' ') }),
    }
  })
}

/** The schemas at a path: one for each alternative that has it. */
function at(one: z.core.$ZodType, path: readonly string[]): z.core.$ZodType[] {
  const { shape, element, innerType, valueType, options }: Def = one._zod.def
  const [first, ...rest] = path
  if (first === undefined) return [one]
  if (innerType) return at(innerType, path)
  if (options) return options.flatMap((option) => at(option, path))
  if (first === '[]') return element ? at(element, rest) : []
  if (valueType) return at(valueType, rest)
  const field = shape?.[first]
  return field ? at(field, rest) : []
}

function wordsOf(one: z.core.$ZodType): string[] {
  const { innerType, options = [], entries, values }: Def = one._zod.def
  if (innerType) return wordsOf(innerType)
  return [...Object.values(entries ?? {}), ...(values ?? []).map(String), ...options.flatMap(wordsOf)]
}

function holds(one: z.core.$ZodType, claim: Claim): boolean {
  const may = z.safeParse(one, undefined).success
  const sorted = (words: readonly string[]) => JSON.stringify([...words].sort())
  return (
    (claim.presence === 'open' || may === (claim.presence === 'may')) &&
    (!claim.isNullable || z.safeParse(one, null).success) &&
    (claim.words === undefined || sorted(wordsOf(one)) === sorted(claim.words))
  )
}

/** The shapes that a record has: of a union each option. */
function shapesOf(one: z.core.$ZodType): readonly z.core.$ZodType[] {
  const { options }: Def = one._zod.def
  return options ?? [one]
}

/** Returns the fields in which a shape differs from the lines. */
function missing(shape: z.core.$ZodType, lines: readonly string[]): string[] {
  return lines.flatMap(claimsOf).flatMap((claim) => {
    const found = at(shape, claim.path)
    return found.some((one) => holds(one, claim)) ? [] : [claim.path.join('.')]
  })
}

describe('the schemas have', () => {
  for (const { schema: name, with: parts = [], fields } of vector.records as {
    schema: string
    with?: string[]
    fields: string[]
  }[]) {
    const lines = [...parts.flatMap((part) => groups[part] ?? [`no group ${part}`]), ...fields]
    test(`${name}: ${lines.join(', ').slice(0, 60)}`, () => {
      const record = records.get(name)
      if (record === undefined) throw new Error(`There is no schema ${name}.`)
      const [best] = shapesOf(record)
        .map((shape) => missing(shape, lines))
        .sort((one, other) => one.length - other.length)
      expect(best).toEqual([])
    })
  }

  test('every currency and every blockchain, and no other', () => {
    expect(vector.currencies.split(' ')).toHaveLength(156)
    expect([...schema.currencies]).toEqual(vector.currencies.split(' '))
    expect(schema.blockchain.options).toEqual(vector.blockchains.split(' '))
  })
})

describe('a gap is seen', () => {
  const noticed = (line: string) => missing(schema.subscription, [line])

  test('in a name, in a presence, in a literal', () => {
    expect(noticed('id')).toEqual([])
    expect(noticed('identity')).toEqual(['identity'])
    expect(noticed('id?')).toEqual(['id'])
    expect(noticed('nextPaymentAt')).toEqual(['nextPaymentAt'])
    expect(noticed('email null')).toEqual(['email'])
    expect(noticed('status = Active Canceled Expired Concluded Failed')).toEqual(['status'])
    expect(noticed('{id plan}.{a b}')).toEqual(['id.a', 'id.b', 'plan.a', 'plan.b'])
  })
})
