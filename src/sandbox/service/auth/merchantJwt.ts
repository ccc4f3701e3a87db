import { eq } from 'drizzle-orm'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { merchants } from '../../store/tables/index.ts'
import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'

/** JWTs of a merchant are HS256 (RFC 7519), under the merchant's own secret, and live 24 hours (PROTOCOL.md 10.3). */
const algorithm = 'HS256'
const lifetimeSeconds = 24 * 60 * 60

/** Signs claims for a merchant, good for 24 hours by the service's clock. */
export async function signMerchantJwt(
  service: Service,
  options: { merchantId: string; claims: JWTPayload },
): Promise<string> {
  const { merchantId, claims } = options
  const issuedAt = Math.floor(service.now() / 1000)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setIssuer(merchantId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(await secretOf(service, merchantId))
}

/**
 * The claims of a merchant's JWT.
 *
 * @param options.field where the token stood, for the error
 * @param options.ofService made by the service: it has to name the merchant as its issuer, and both of its times
 * @throws a 401 for one that another signed, or that has expired
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
        ? 'has expired: get a new one'
        : 'is not a JWT that was signed for this merchant'
    throw problem('UNAUTHENTICATED', `${field} ${reason}.`, { cause, issues: [field] })
  }
}

async function secretOf(service: Service, merchantId: string): Promise<Uint8Array> {
  const database = await service.database()
  const [row] = await database
    .select({ secret: merchants.jwtSecret })
    .from(merchants)
    .where(eq(merchants.merchantId, merchantId))
  // Callers come with a merchant that was found.
  if (row === undefined) throw problem('NOT_FOUND', 'There is no such merchant.')
  return new TextEncoder().encode(row.secret)
}
