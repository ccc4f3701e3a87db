import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import type { Affordances } from './affordances.ts'

/** Routes of affordances are served only where there are any. */
export function affordancesOf({ affordances }: Pick<Service, 'affordances'>): Affordances {
  if (affordances !== undefined) return affordances
  throw problem('NOT_FOUND', 'There is no such path.')
}
