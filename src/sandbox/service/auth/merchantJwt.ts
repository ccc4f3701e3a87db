import { eq } from 'drizzle-orm'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { credentialHours } from '../../../redeemkit/core/limits.ts'
import { anyAddress } from '../../../redeemkit/schema/values.ts'
import { isThisMachine } from '../../servers/findRefusal.ts'
import { merchants } from '../../store/tables/index.ts'
import type { Merchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'

/**
 * Returns the site to name in a sign-in message: the requesting page's origin if it is allowed, otherwise the service's. A page that is
 * not allowed could have its visitor sign a message and use the signature to sign in here.
 */
export function siteUrl(
  { publicUrl, allowedOrigins }: Pick<Service['settings'], 'publicUrl' | 'allowedOrigins'>,
  request: { url: string; origin: string | undefined },
): URL {
  const own = new URL(publicUrl ?? request.url)
  const { origin } = request
  const page = origin !== undefined && URL.canParse(origin) ? new URL(origin) : undefined
  if (page === undefined || page.origin !== origin || !/^https?:$/.test(page.protocol)) return own
  return allowedOrigins.includes(origin) || (isThisMachine(own.hostname) && isThisMachine(page.hostname))
    ? page
    : own
}

/** Merchant JWTs are HS256 (RFC 7519) with the merchant's own secret (PROTOCOL.md 10.3). */
const algorithm = 'HS256'
const lifetimeSeconds = credentialHours * 60 * 60

/** Signs claims for a merchant. The JWT is valid from the current time of the service's clock. */
export async function signMerchantJwt(
  service: Service,
  { merchantId, claims }: { merchantId: string; claims: JWTPayload },
): Promise<string> {
  const issuedAt = Math.floor(service.now() / 1000)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setIssuer(merchantId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(await secretOf(service, merchantId))
}

/**
 * @param options.field field or header that contained the token
 * @param options.ofService whether the service itself must have signed the token; then the issuer and both times are required
 */
export async function readMerchantJwt(
  service: Service,
  options: { merchantId: string; token: string; field: string; ofService: boolean },
): Promise<JWTPayload> {
  const { merchantId, token, field, ofService } = options
  try {
    const { payload } = await jwtVerify(token, await secretOf(service, merchantId), {
      algorithms: [algorithm],
      currentDate: new Date(service.now()),
      ...(ofService && {
        issuer: merchantId,
        requiredClaims: ['iat', 'exp'],
        maxTokenAge: lifetimeSeconds,
      }),
    })
    return payload
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError)) throw cause
    const reason =
      cause instanceof errors.JWTExpired
        ? 'has expired. Request a new one'
        : 'is not a JWT signed for this merchant'
    throw problem('UNAUTHENTICATED', `${field} ${reason}.`, { cause, issues: [field] })
  }
}

async function secretOf(service: Service, merchantId: string): Promise<Uint8Array> {
  const database = await service.database()
  const [row] = await database
    .select({ secret: merchants.jwtSecret })
    .from(merchants)
    .where(eq(merchants.merchantId, merchantId))
  if (row === undefined) throw problem('NOT_FOUND', 'The merchant does not exist.')
  return new TextEncoder().encode(row.secret)
}

/** Reads `address` from a JWT signed with the merchant's secret (PROTOCOL.md 10.2). The address may be of any chain. */
export async function readDestinationAuthKey(
  service: Service,
  { merchant, token }: { merchant: Merchant; token: string },
): Promise<string> {
  const field = 'destinationAuthKey'
  const { merchantId } = merchant
  const { address } = await readMerchantJwt(service, { merchantId, token, field, ofService: false })
  const parsed = anyAddress.safeParse(address)
  if (parsed.success) return parsed.data
  throw problem('UNAUTHENTICATED', `${field} has no address. Set its claim "address".`, {
    issues: [field],
  })
}
