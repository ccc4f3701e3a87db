import { type MobileAppResponse, mobileAppBody } from '../../../../redeemkit/schema/checkout.ts'
import { checkoutCustomer } from '../../http/checkoutCustomer.ts'
import { readBody } from '../../http/readBody.ts'
import type { Route } from '../../http/route.ts'
import { serviceOrigin } from '../../http/serviceOrigin.ts'
import { prepareCheckout } from '../prepareCheckout.ts'
import { openOrder } from './openOrder.ts'

/** `POST /api/checkout/mobileapp/{merchantId}` (PROTOCOL.md 2.6): a link that opens the payment in the app; here, a page of the sandbox. */
export const mobileApp: Route = {
  method: 'POST',
  path: '/api/checkout/mobileapp/:merchantId',
  handle: async (service, context): Promise<MobileAppResponse> => {
    const body = await readBody(context, mobileAppBody)
    const customer = await checkoutCustomer(service, context, {
      merchantId: context.req.param('merchantId') ?? '',
      needs: ['wallet', 'userId', 'apiKey'],
    })
    const order = await openOrder(
      service,
      await prepareCheckout(service, { customer, rail: 'mobileapp', body }),
    )
    return {
      expiresAt: order.expiresAt.toISOString(),
      appLink: `${serviceOrigin(service, context)}/sandbox/mobileapp/${order.paymentId}`,
      paymentId: order.paymentId,
    }
  },
}
