import * as z from 'zod/mini'
import { checkOwnPage } from '../../http/checkOwnPage.ts'
import { checkoutCustomer } from '../../http/checkoutCustomer.ts'
import { readPrivateBody } from '../../http/readPrivateBody.ts'
import type { Route } from '../../http/route.ts'
import { cardAnswer } from '../card/cardAnswer.ts'
import { isPaid, paymentsOf } from '../card/earlierPayment.ts'
import { purchaseIdText } from './purchaseId.ts'

const body = z.strictObject({ purchaseId: purchaseIdText })

/** `POST /card/{merchantId}/purchase` (PROTOCOL.md 10.8): what became of a purchase. Moves nothing. */
export const cardFormPurchase: Route = {
  method: 'POST',
  path: '/card/:merchantId/purchase',
  handle: async (service, context) => {
    checkOwnPage(service, context)
    const { purchaseId } = await readPrivateBody(context, body)
    const merchantId = context.req.param('merchantId') ?? ''
    const customer = await checkoutCustomer(service, context, { merchantId })
    const database = await service.database()
    const made = await database.transaction((work) => paymentsOf(work, { customer, purchaseId }))
    const payment = made.find(isPaid) ?? made[0]
    return payment === undefined ? {} : { payment: cardAnswer(payment) }
  },
}
