import { isDeepStrictEqual } from 'node:util'
import type { JWTPayload } from 'jose'
import { type CheckoutJwtResponse, checkoutJwtBody } from '../../../redeemkit/schema/checkout.ts'
import { authorizedMerchant, type Merchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { endpoint } from '../http/route.ts'
import type { Service } from '../service.ts'
import { readMerchantJwt, signMerchantJwt } from './merchantJwt.ts'

/** Fields that a browser may add to those of the checkout JWT: the price, and data that only the customer has. */
const addable = new Set([
  'subtotal',
  'email',
  'customerInfo',
  'userLocation',
  'chargebackProtectionData',
  'customerUsdcTransferData',
  'customerUsdcTransferDataV2',
  'orderKey',
  'salt',
  // Options of a card payment that the page chooses.
  'threeDsChallengePreference',
  'accountFundingTransaction',
  'presentment',
])

/**
 * Checks a checkout's body against its `jwtToken` (PROTOCOL.md 10.3), and adds pinned parameters that the body lacks. The body must not
 * add fields that only the merchant may set.
 */
export async function checkCheckoutJwt(
  service: Service,
  options: { merchant: Merchant; body: Record<string, unknown> & { jwtToken?: string | undefined } },
): Promise<void> {
  const { merchant, body } = options
  const { merchantId, enforceCheckoutJwt } = merchant
  if (body.jwtToken === undefined) {
    if (!enforceCheckoutJwt) return
    throw problem('UNAUTHENTICATED', 'jwtToken is missing. This merchant requires a checkout JWT.', {
      issues: ['jwtToken'],
    })
  }
  const token = { merchantId, token: body.jwtToken, field: 'jwtToken', ofService: true }
  const pinned = checkoutOf(await readMerchantJwt(service, token))
  for (const [name, value] of Object.entries(pinned)) {
    // `readMerchantJwt` has verified that the JWT is this merchant's.
    if (name === 'merchantId') continue
    if (body[name] === undefined) {
      // `Bank` is the default, which a body expresses by omitting the field (PROTOCOL.md 10.3).
      if (value !== 'Bank') body[name] = structuredClone(value)
      continue
    }
    const [ours, theirs] = name === 'subtotal' ? [inUsd(value), inUsd(body[name])] : [value, body[name]]
    const path = firstDifference(ours, theirs, name)
    if (path !== undefined) throw differs(path, 'differs from the value in the checkout JWT')
  }
  for (const name of parameters)
    if (body[name] !== undefined && !(name in pinned) && !addable.has(name) && name !== 'merchantId')
      throw differs(name, 'is not in the checkout JWT, and only the merchant may set it')
}

const parameters = Object.keys(checkoutJwtBody.shape)

function checkoutOf({ checkout }: JWTPayload): Record<string, unknown> {
  if (typeof checkout === 'object' && checkout !== null && !Array.isArray(checkout)) return { ...checkout }
  throw problem('UNAUTHENTICATED', 'jwtToken is a JWT of this merchant, but not a checkout JWT.', {
    issues: ['jwtToken'],
  })
}

function firstDifference(pinned: unknown, found: unknown, path: string): string | undefined {
  if (isDeepStrictEqual(pinned, found)) return undefined
  if (!isObject(pinned) || !isObject(found) || Array.isArray(pinned) !== Array.isArray(found)) return path
  for (const name of new Set([...Object.keys(pinned), ...Object.keys(found)])) {
    const inside = firstDifference(
      pinned[name],
      found[name],
      Array.isArray(pinned) ? `${path}[${name}]` : `${path}.${name}`,
    )
    if (inside !== undefined) return inside
  }
  return undefined
}

/** Adds a missing currency to cents. Cents without a currency are US cents (PROTOCOL.md 11.3). */
export function inUsd(subtotal: unknown): unknown {
  return isObject(subtotal) && 'cents' in subtotal && subtotal.currency === undefined
    ? { ...subtotal, currency: 'USD' }
    : subtotal
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function differs(field: string, what: string) {
  return problem('FORBIDDEN', `${field} ${what}.`, { issues: [field], details: { field } })
}

/** `POST /api/checkout/jwt-token`: creates a JWT that pins the body's parameters (PROTOCOL.md 10.3). */
export const jwtToken = endpoint(
  'createCheckoutJwt',
  async (service, context): Promise<CheckoutJwtResponse> => {
    const checkout = await readBody(context, checkoutJwtBody)
    const { merchantId } = await authorizedMerchant(service, context)
    if (checkout.merchantId !== undefined && checkout.merchantId !== merchantId)
      throw problem('FORBIDDEN', 'The API key belongs to another merchant.', { issues: ['merchantId'] })
    return { checkoutJwtToken: await signMerchantJwt(service, { merchantId, claims: { checkout } }) }
  },
)
