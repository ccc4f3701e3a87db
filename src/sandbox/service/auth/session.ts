import { eq } from 'drizzle-orm'
import type { Blockchain } from '../../../redeemkit/core/blockchains.ts'
import { anyAddress } from '../../../redeemkit/schema/values.ts'
import { hashSecret } from '../../store/setMerchants.ts'
import { sessionKeys } from '../../store/tables/index.ts'
import type { Merchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import { readMerchantJwt } from './merchantJwt.ts'

/** Checks that a session key belongs to the customer in the headers. Compares the wallet only if the key names one. */
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
    throw problem('FORBIDDEN', 'The session key belongs to another customer or has no user id.')
  const other = wallet !== session.wallet || blockchain !== session.blockchain
  if (wallet !== undefined && session.wallet !== null && other)
    throw problem('FORBIDDEN', 'The session key belongs to another wallet. Request one for this wallet.')
}

type Session = Omit<typeof sessionKeys.$inferSelect, 'keyHash'>

/** Returns the session of a key; throws if the key is unknown or has expired (PROTOCOL.md 1.3). */
export async function findSession(service: Service, key: string): Promise<Session> {
  const database = await service.database()
  const [row] = await database
    .select()
    .from(sessionKeys)
    .where(eq(sessionKeys.keyHash, hashSecret(key)))
  if (row === undefined || row.expiresAt.getTime() <= service.now())
    throw problem('UNAUTHENTICATED', 'The session key is unknown or has expired. Request a new one.')
  const { keyHash: _, ...session } = row
  return session
}

/** Reads `address` from a JWT signed with the merchant's secret (PROTOCOL.md 10.2). The address may be of any chain. */
export async function readDestinationAuthKey(
  service: Service,
  options: { merchant: Merchant; token: string },
): Promise<string> {
  const { merchant, token } = options
  const field = 'destinationAuthKey'
  const { merchantId } = merchant
  const { address } = await readMerchantJwt(service, { merchantId, token, field, ofService: false })
  const parsed = anyAddress.safeParse(address)
  if (parsed.success) return parsed.data
  throw problem('UNAUTHENTICATED', `${field} has no address. Set its claim "address".`, {
    issues: [field],
  })
}
