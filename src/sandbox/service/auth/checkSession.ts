import type { Blockchain } from '../../../redeemkit/core/blockchains.ts'
import { problem } from '../http/problem.ts'
import type { Session } from './findSession.ts'

/**
 * Whether a session key is good for the customer in the headers. A user id has to be the key's own; so has a wallet, where the
 * key names one.
 *
 * @throws a 403
 */
export function checkSession(
  session: Session,
  customer: {
    userId: string | undefined
    wallet: string | undefined
    blockchain: Blockchain | undefined
  },
): void {
  const { userId, wallet, blockchain } = customer
  if (userId !== undefined && userId !== session.userId)
    throw problem('FORBIDDEN', 'The session key belongs to another customer, or names no user id.')
  const other = wallet !== session.wallet || blockchain !== session.blockchain
  if (wallet !== undefined && session.wallet !== null && other)
    throw problem('FORBIDDEN', 'The session key belongs to another wallet.')
}
