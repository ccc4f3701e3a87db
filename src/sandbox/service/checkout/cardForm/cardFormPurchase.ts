import * as z from 'zod/mini'
import { cardCheckoutBody } from '../../../../redeemkit/schema/checkout.ts'
import { checkCheckoutJwt } from '../../auth/checkoutJwt.ts'
import { checkId } from '../../http/checkId.ts'
import { checkOwnPage } from '../../http/checkOwnPage.ts'
import { checkoutCustomer } from '../../http/checkoutCustomer.ts'
import { readPrivateBody } from '../../http/readPrivateBody.ts'
import type { Route } from '../../http/route.ts'
import { boughtBy } from '../card/boughtBy.ts'
import { cardAnswer } from '../card/cardAnswer.ts'
import { checkSamePurchase, isPaid, paymentsOf } from '../card/earlierPayment.ts'
import { oneOrder } from '../card/oneOrder.ts'
import { purchaseHash } from '../card/purchaseHash.ts'

const { card: _, ...order } = cardCheckoutBody.shape
const body = z.strictObject({ purchaseId: z.string(), order: z.optional(z.strictObject(order)) })
/** The order's own id is there once the JWT that pins it was read. */
type Asked = z.output<typeof body> & { order?: { purchaseId?: string } | undefined }

/** `POST /card/{merchantId}/purchase` (PROTOCOL.md 10.8): what became of a purchase. Moves nothing. */
export const cardFormPurchase: Route = {
  method: 'POST',
  path: '/card/:merchantId/purchase',
  handle: async (service, context) => {
    checkOwnPage(service, context)
    const { purchaseId, order }: Asked = await readPrivateBody(context, body)
    checkId(purchaseId, 'purchaseId')
    const merchantId = context.req.param('merchantId') ?? ''
    const customer = await checkoutCustomer(service, context, { merchantId })
    if (order !== undefined) await checkCheckoutJwt(service, { merchant: customer.merchant, body: order })
    oneOrder(purchaseId, order?.purchaseId)
    const database = await service.database()
    const made = await database.transaction((work) => paymentsOf(work, { customer, purchaseId }))
    const paid = made.find(isPaid)
    if (paid !== undefined && order !== undefined) checkSamePurchase(paid, purchaseHash(boughtBy(order)))
    const payment = paid ?? made[0]
    return payment === undefined ? {} : { payment: cardAnswer(payment) }
  },
}
