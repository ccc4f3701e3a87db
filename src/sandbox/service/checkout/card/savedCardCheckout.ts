import {
  type CardCheckoutResponse,
  type SavedCardBody,
  savedCardBody,
} from '../../../../redeemkit/schema/checkout.ts'
import { checkoutCustomer } from '../../http/checkoutCustomer.ts'
import { readPrivateBody } from '../../http/readPrivateBody.ts'
import type { Route } from '../../http/route.ts'
import { paymentWork } from '../../payments/paymentWork.ts'
import { settlePayment } from '../../settlement/settlePayment.ts'
import { type CheckoutRequest, prepareCheckout } from '../prepareCheckout.ts'
import { boughtBy } from './boughtBy.ts'
import { cardAnswer } from './cardAnswer.ts'
import { cardProblem } from './cardProblem.ts'
import { chargeCard } from './chargeCard.ts'
import { checkExpiry } from './checkExpiry.ts'
import { earlierPayment } from './earlierPayment.ts'
import { findCard } from './findCard.ts'
import { purchaseHash } from './purchaseHash.ts'

/**
 * `POST /api/checkout/token/{merchantId}` (PROTOCOL.md 2.11): charges a card on file. Its customer passed whatever the bank asked when
 * the card was put there, so no challenge comes. What a checkout JWT with an order's id has paid is not charged again.
 */
export const savedCardCheckout: Route = {
  method: 'POST',
  path: '/api/checkout/token/:merchantId',
  handle: async (service, context): Promise<CardCheckoutResponse> => {
    const body: SavedCardBody & CheckoutRequest = await readPrivateBody(context, savedCardBody)
    const merchantId = context.req.param('merchantId') ?? ''
    const customer = await checkoutCustomer(service, context, { merchantId })
    const payment = await prepareCheckout(service, { customer, rail: 'card', body })
    const card = await findCard(service, { customer, token: body.token, field: 'token', onFile: true })
    checkExpiry(card, service.now())
    const { authOnly = false, purchaseId } = body
    const once =
      purchaseId === undefined ? undefined : { purchaseId, purchaseHash: purchaseHash(boughtBy(body)) }
    const charged = await paymentWork(service, async (work) => {
      const earlier = once && (await earlierPayment(work, { customer, ...once }))
      if (earlier !== undefined) return { ...earlier, refusal: undefined }
      const wanted = { ...payment, ...once, authOnly }
      const result = await chargeCard(work, { payment: wanted, card, attended: false })
      return { ...result, payment: await settlePayment(service, work, result.payment) }
    })
    if (charged.refusal !== undefined) throw cardProblem(charged.refusal, charged.payment)
    return cardAnswer(charged.payment)
  },
}
