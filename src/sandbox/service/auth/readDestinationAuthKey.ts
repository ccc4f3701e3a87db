import { anyAddress } from '../../../redeemkit/schema/values.ts'
import type { Merchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import { readMerchantJwt } from './merchantJwt.ts'

/**
 * Who receives what a payment settles to: the claim `address` of a JWT that the merchant signed with its own secret
 * (PROTOCOL.md 10.2).
 *
 * @returns an address as the JWT spells it, of whatever chain
 * @throws a 401 for a JWT that is not the merchant's, has expired, or names no address
 */
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
  throw problem('UNAUTHENTICATED', `${field} names no address: its claim "address" must be one.`, {
    issues: [field],
  })
}
