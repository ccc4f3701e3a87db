import { eq } from 'drizzle-orm'
import { hashSecret } from '../../store/hashSecret.ts'
import { sessionKeys } from '../../store/tables/index.ts'
import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'

/** Whose session key it is: one merchant's, and of one customer. */
export type Session = Omit<typeof sessionKeys.$inferSelect, 'keyHash'>

/**
 * The session of a key that has not expired (PROTOCOL.md 1.3).
 *
 * @throws a 401 for any other key
 */
export async function findSession(service: Service, key: string): Promise<Session> {
  const database = await service.database()
  const [row] = await database
    .select()
    .from(sessionKeys)
    .where(eq(sessionKeys.keyHash, hashSecret(key)))
  if (row === undefined || row.expiresAt.getTime() <= service.now())
    throw problem('UNAUTHENTICATED', 'The session key is not known, or it has expired. Get a new one.')
  const { keyHash: _, ...session } = row
  return session
}
