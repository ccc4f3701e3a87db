import { randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import { isThisMachine } from '../../servers/findRefusal.ts'
import { hashSecret } from '../../store/setMerchants.ts'
import { sessionKeys } from '../../store/tables/index.ts'
import {
  checkSignedMessage,
  customerOrUser,
  isWalletNamed,
  userIdHeader,
  walletHeaders,
} from '../http/customer.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { invalid, problem } from '../http/problem.ts'
import { endpoint, type Route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { credentialMs, issueChallenge } from './challenges.ts'
import { siteUrl } from './merchantJwt.ts'

/**
 * Creates a session key: a JWT, because clients of deployed services parse it. The service looks up keys by hash, so it discards the
 * signing secret.
 */
export function createSessionKey(claims: {
  merchantId: string
  userId?: string | undefined
  wallet?: string | undefined
  blockchain?: string | undefined
  issuedAt: Date
  expiresAt: Date
}): Promise<string> {
  const { expiresAt, issuedAt, ...named } = claims
  return new SignJWT(named)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(randomBytes(32))
}

/**
 * Without `publicUrl`, only hosts of this machine are accepted. Otherwise, a site could request a message under its own name, have a
 * visitor sign it, and sign in here as that visitor.
 */
function signInUrl(
  settings: Pick<Service['settings'], 'publicUrl' | 'allowedOrigins'>,
  request: { url: string; origin: string | undefined },
): URL {
  const asked = new URL(request.url)
  if (settings.publicUrl === undefined && !isThisMachine(asked.hostname))
    throw invalid(
      'host',
      `Sign-in works on this machine only, not at ${asked.host.slice(0, 80)}. Set publicUrl to the public URL of the service.`,
    )
  return siteUrl(settings, request)
}

/** The sign-in routes (PROTOCOL.md 2.4, 8). */
export const authRoutes: readonly Route[] = [
  endpoint('getAuthMessage', async (service, context) => {
    const url = signInUrl(service.settings, { url: context.req.url, origin: context.req.header('origin') })
    return issueChallenge(service, { ...(await walletHeaders(service, context)), url })
  }),
  endpoint('verifyAuth', async (service, context) => {
    await walletHeaders(service, context)
    const signedMessage = context.req.header(service.headers.signedMessage)
    if (signedMessage === undefined)
      throw problem('UNAUTHENTICATED', `The header ${service.headers.signedMessage} is missing. Send it.`)
    await checkSignedMessage(service, context, signedMessage)
    return {}
  }),
  endpoint('getSessionKey', async (service, context) => {
    const { userId, wallet, blockchain } = service.headers
    const user = userIdHeader(service, context)
    const named = isWalletNamed(service, context)
    if (user === undefined && !named)
      throw invalid(userId, `Identify the user: send the header ${userId}, or ${wallet} with ${blockchain}.`)
    // A customer who is identified by wallet needs both wallet headers.
    const customer = named ? await customerOrUser(service, context) : undefined
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
  }),
]
