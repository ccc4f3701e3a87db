import type { DatabaseWork } from '../../store/database.ts'
import type { Service } from '../service.ts'

/**
 * Changes payments in one database transaction, and then wakes what settles them.
 *
 * @param run what is to happen; an error that it throws takes all of it back
 */
export async function paymentWork<result>(
  service: Service,
  run: (work: DatabaseWork) => Promise<result>,
): Promise<result> {
  const database = await service.database()
  const result = await database.transaction(run)
  service.relayer.wake()
  return result
}
