import { type CheckoutJwtResponse, checkoutJwtBody } from '../../../redeemkit/schema/checkout.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import { signMerchantJwt } from './merchantJwt.ts'

/** `POST /api/checkout/jwt-token`: a JWT that pins the parameters of the body for 24 hours (PROTOCOL.md 10.3). */
export const jwtToken: Route = {
  method: 'POST',
  path: '/api/checkout/jwt-token',
  handle: async (service, context): Promise<CheckoutJwtResponse> => {
    const checkout = await readBody(context, checkoutJwtBody)
    const { merchantId } = await authorizedMerchant(service, context)
    if (checkout.merchantId !== undefined && checkout.merchantId !== merchantId)
      throw problem('FORBIDDEN', 'The API key belongs to another merchant.', { issues: ['merchantId'] })
    return { checkoutJwtToken: await signMerchantJwt(service, { merchantId, claims: { checkout } }) }
  },
}
