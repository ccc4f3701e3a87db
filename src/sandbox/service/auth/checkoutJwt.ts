import { isDeepStrictEqual } from 'node:util'
import type { JWTPayload } from 'jose'
import { checkoutJwtBody } from '../../../redeemkit/schema/checkout.ts'
import type { Merchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import { readMerchantJwt } from './merchantJwt.ts'

/** What the browser may add to what a checkout JWT pins: the price where the JWT has none, and what only the customer knows. */
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
])

/**
 * Holds the body of a checkout against its `jwtToken` (PROTOCOL.md 10.3): a parameter that the JWT pins must be as pinned, and
 * none that only the merchant may choose may be added.
 *
 * @param options.body as it was parsed; pinned parameters that it leaves out are put into it
 * @throws a 401 for a JWT that is not good, and for none where the merchant enforces it; a 403 that names the field which differs
 */
export async function checkCheckoutJwt(
  service: Service,
  options: { merchant: Merchant; body: Record<string, unknown> & { jwtToken?: string | undefined } },
): Promise<void> {
  const { merchant, body } = options
  const { merchantId, enforceCheckoutJwt } = merchant
  if (body.jwtToken === undefined) {
    if (!enforceCheckoutJwt) return
    throw problem(
      'UNAUTHENTICATED',
      'jwtToken is missing: this merchant takes no checkout without a checkout JWT.',
      {
        issues: ['jwtToken'],
      },
    )
  }
  const token = { merchantId, token: body.jwtToken, field: 'jwtToken', ofService: true }
  const pinned = checkoutOf(await readMerchantJwt(service, token))
  for (const [name, value] of Object.entries(pinned)) {
    // In some checkouts the path names the merchant, and the JWT was made for this one.
    if (name === 'merchantId') continue
    if (body[name] === undefined) {
      // A settlement that no checkout names (PROTOCOL.md 10.3).
      if (value !== 'Bank') body[name] = structuredClone(value)
      continue
    }
    const path = firstDifference(value, body[name], name)
    if (path !== undefined) throw differs(path, 'is not as the checkout JWT pins it')
  }
  for (const name of parameters)
    if (body[name] !== undefined && !(name in pinned) && !addable.has(name) && name !== 'merchantId')
      throw differs(name, 'is not in the checkout JWT, and nobody else may add it')
}

const parameters = Object.keys(checkoutJwtBody.shape)

function checkoutOf({ checkout }: JWTPayload): Record<string, unknown> {
  if (typeof checkout === 'object' && checkout !== null && !Array.isArray(checkout)) return { ...checkout }
  throw problem('UNAUTHENTICATED', 'jwtToken is a JWT of this merchant, and not one of a checkout.', {
    issues: ['jwtToken'],
  })
}

/** Path of the first value that is not the same; undefined when all are. */
function firstDifference(pinned: unknown, found: unknown, path: string): string | undefined {
  if (isDeepStrictEqual(pinned, found)) return undefined
  if (!isRecord(pinned) || !isRecord(found) || Array.isArray(pinned) !== Array.isArray(found)) return path
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function differs(field: string, what: string) {
  return problem('FORBIDDEN', `${field} ${what}.`, { issues: [field], details: { field } })
}
