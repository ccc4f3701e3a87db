import { voidBody } from '../../../redeemkit/schema/checkout.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import { findPayment } from '../payments/findPayment.ts'
import { movePayment } from '../payments/movePayment.ts'
import { paymentWork } from '../payments/paymentWork.ts'

/** `POST /api/checkout/void` (PROTOCOL.md 2.6): gives back what `authOnly` holds. */
export const voidPayment: Route = {
  method: 'POST',
  path: '/api/checkout/void',
  handle: async (service, context) => {
    const { paymentId } = await readBody(context, voidBody)
    const { merchantId } = await authorizedMerchant(service, context)
    await paymentWork(service, async (work) => {
      const { status, authOnly } = await findPayment(work, { merchantId, paymentId })
      if (!authOnly)
        throw problem('PAYMENT_STATE', 'Only a payment that was created with authOnly can be voided.', {
          details: { paymentId, status },
        })
      await movePayment(work, { paymentId, to: 'voided', at: new Date(service.now()) })
    })
    return {}
  },
}
