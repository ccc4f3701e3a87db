import * as z from 'zod/mini'
import { cardCheckoutBody } from '../../../../schema/checkout.ts'
import { orderIdText } from '../../../../schema/values.ts'
import { checkCheckoutJwt } from '../../auth/checkoutJwt.ts'
import { checkOwnPage } from '../../http/checkOwnPage.ts'
import { checkoutCustomer } from '../../http/checkoutCustomer.ts'
import { readPrivateBody } from '../../http/readPrivateBody.ts'
import type { Route } from '../../http/route.ts'
import { boughtBy } from '../card/boughtBy.ts'
import { cardAnswer } from '../card/cardAnswer.ts'
import { checkSamePurchase, isPaid, paymentsOf } from '../card/earlierPayment.ts'
import { purchaseHash } from '../card/purchaseHash.ts'

const { card: _, ...order } = cardCheckoutBody.shape
const body = z.strictObject({ purchaseId: orderIdText, order: z.optional(z.strictObject(order)) })

/** `POST /card/{merchantId}/purchase` (PROTOCOL.md 10.8): what became of a purchase. Moves nothing. */
export const cardFormPurchase: Route = {
  method: 'POST',
  path: '/card/:merchantId/purchase',
  handle: async (service, context) => {
    checkOwnPage(service, context)
    const { purchaseId, order } = await readPrivateBody(context, body)
    const merchantId = context.req.param('merchantId') ?? ''
    const customer = await checkoutCustomer(service, context, { merchantId })
    const asked = order && { ...order, purchaseId }
    if (asked !== undefined) await checkCheckoutJwt(service, { merchant: customer.merchant, body: asked })
    const database = await service.database()
    const made = await database.transaction((work) => paymentsOf(work, { customer, purchaseId }))
    const paid = made.find(isPaid)
    if (paid !== undefined && asked !== undefined) checkSamePurchase(paid, purchaseHash(boughtBy(asked)))
    const payment = paid ?? made[0]
    return payment === undefined ? {} : { payment: cardAnswer(payment) }
  },
}
