import { randomBytes } from 'node:crypto'
import { type PixResponse, pixBody } from '../../../../redeemkit/schema/checkout.ts'
import { checkoutCustomer } from '../../http/checkoutCustomer.ts'
import { problem } from '../../http/problem.ts'
import { readBody } from '../../http/readBody.ts'
import type { Route } from '../../http/route.ts'
import { prepareCheckout } from '../prepareCheckout.ts'
import { brCode } from './brCode.ts'
import { openOrder } from './openOrder.ts'

/** `POST /api/checkout/pix` (PROTOCOL.md 2.6): a Pix code in reais, good for five minutes. */
export const pix: Route = {
  method: 'POST',
  path: '/api/checkout/pix',
  handle: async (service, context): Promise<PixResponse> => {
    const body = await readBody(context, pixBody)
    const { merchantId } = body
    const customer = await checkoutCustomer(service, context, { merchantId, needs: ['wallet', 'userId'] })
    const payment = await prepareCheckout(service, { customer, rail: 'pix', body })
    if (payment.chargedCents > mostCents)
      throw problem('INVALID_REQUEST', 'A Pix code has no place for more than 9,999,999,999.99 reais.', {
        issues: ['subtotal'],
      })
    const txid = `RK${randomBytes(10).toString('hex').toUpperCase()}`
    const order = await openOrder(service, { ...payment, railReference: txid })
    return {
      paymentId: order.paymentId,
      brCode: brCode({
        key: receiverKey,
        cents: order.chargedCents,
        txid,
        name: merchantId,
        city: 'SAO PAULO',
      }),
      quote: { cents: order.chargedCents, currency: order.chargedCurrency },
      expires: order.expiresAt.toISOString(),
    }
  },
}

/** A random key, as banks give them out; this one belongs to nobody. */
const receiverKey = '5a8d0c1e-7b36-4e4f-9d2a-0f6c3b1e8d47'
/** The amount of a BR Code has at most 13 characters; two places and a point are three of them. */
const mostCents = 999_999_999_999
