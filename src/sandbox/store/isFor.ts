import { type SQL, sql } from 'drizzle-orm'
import type { Reference } from './reference.ts'
import { transactions } from './tables/index.ts'

export type ReferencePart = Reference extends infer one
  ? one extends Reference
    ? Pick<one, 'kind'> & Partial<Omit<one, 'kind' | 'attempt'>>
    : never
  : never

/** Selects transactions by some fields of their reference, for example all attempts of a job. */
export function isFor(part: ReferencePart): SQL {
  return sql`${transactions.reference} @> ${JSON.stringify(part)}::jsonb`
}
