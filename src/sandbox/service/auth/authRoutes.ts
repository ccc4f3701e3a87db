import { hashSecret } from '../../store/hashSecret.ts'
import { sessionKeys } from '../../store/tables/index.ts'
import { checkSignedMessage, walletHeaders } from '../http/customer.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import type { Route } from '../http/route.ts'
import { userIdHeader } from '../http/userIdHeader.ts'
import { credentialMs, issueChallenge } from './challenges.ts'
import { createSessionKey } from './createSessionKey.ts'
import { signInUrl } from './signInUrl.ts'

/** Sign-in (PROTOCOL.md 2.4, 8). */
export const authRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/auth',
    handle: async (service, context) => {
      const url = signInUrl(service.settings, { url: context.req.url, origin: context.req.header('origin') })
      return issueChallenge(service, { ...(await walletHeaders(service, context)), url })
    },
  },
  {
    method: 'GET',
    path: '/api/auth/verify',
    handle: async (service, context) => {
      await walletHeaders(service, context)
      const signedMessage = context.req.header(service.headers.signedMessage)
      if (signedMessage === undefined)
        throw problem('UNAUTHENTICATED', `Header ${service.headers.signedMessage} is missing.`)
      await checkSignedMessage(service, context, signedMessage)
      return {}
    },
  },
  {
    method: 'GET',
    path: '/api/auth/session-key',
    handle: async (service, context) => {
      const { userId, wallet, blockchain } = service.headers
      const user = userIdHeader(service, context)
      const named = context.req.header(wallet) !== undefined || context.req.header(blockchain) !== undefined
      if (user === undefined && !named)
        throw problem(
          'INVALID_REQUEST',
          `Name the user: header ${userId}, or ${wallet} with ${blockchain}.`,
          {
            issues: [userId],
          },
        )
      // Whoever is named by wallet has to be named completely.
      const customer = named ? await walletHeaders(service, context) : undefined
      const { merchantId } = await authorizedMerchant(service, context)
      const now = service.now()
      const expiresAt = new Date(now + credentialMs)
      const key = await createSessionKey({
        merchantId,
        userId: user,
        wallet: customer?.wallet,
        blockchain: customer?.blockchain,
        issuedAt: new Date(now),
        expiresAt,
      })
      const database = await service.database()
      await database.insert(sessionKeys).values({
        keyHash: hashSecret(key),
        merchantId,
        userId: user ?? null,
        wallet: customer?.wallet ?? null,
        blockchain: customer?.blockchain ?? null,
        expiresAt,
      })
      return { key }
    },
  },
]
