import {
  type CardCheckoutBody,
  type CardCheckoutResponse,
  cardCheckoutBody,
} from '../../../../redeemkit/schema/checkout.ts'
import { checkoutCustomer } from '../../http/checkoutCustomer.ts'
import { readPrivateBody } from '../../http/readPrivateBody.ts'
import type { Route } from '../../http/route.ts'
import { serviceOrigin } from '../../http/serviceOrigin.ts'
import { settlePayment } from '../../settlement/settlePayment.ts'
import { type CheckoutRequest, prepareCheckout } from '../prepareCheckout.ts'
import { boughtBy } from './boughtBy.ts'
import { cardAnswer } from './cardAnswer.ts'
import { checkSameExpiry } from './checkSameExpiry.ts'
import { findCard } from './findCard.ts'
import { oneOrder } from './oneOrder.ts'
import { payByCard } from './payByCard.ts'
import { purchaseHash } from './purchaseHash.ts'
import { putOnFile } from './putOnFile.ts'
import { threeDs } from './threeDs.ts'

/** `POST /api/checkout/card/{merchantId}` (PROTOCOL.md 2.6, 10.3). */
export const cardCheckout: Route = {
  method: 'POST',
  path: '/api/checkout/card/:merchantId',
  handle: async (service, context): Promise<CardCheckoutResponse> => {
    const body: CardCheckoutBody & CheckoutRequest = await readPrivateBody(context, cardCheckoutBody)
    const merchantId = context.req.param('merchantId') ?? ''
    const customer = await checkoutCustomer(service, context, { merchantId })
    const email = body.card.email
    const payment = await prepareCheckout(service, { customer, rail: 'card', body })
    const card = await findCard(service, { customer, token: body.card.cardToken, field: 'card.cardToken' })
    checkSameExpiry(body.card, card)
    const { authentication3DS: _, jwtToken: __, ...purchase } = body
    const { authOnly = false } = body
    const purchaseId = oneOrder(card.purchaseId, body.purchaseId)
    const once = purchaseId === undefined ? undefined : { customer, purchaseId }
    const paid = await payByCard(service, {
      payment: {
        ...payment,
        email: payment.email ?? email ?? null,
        authOnly,
        ...(once && { purchaseId: once.purchaseId, purchaseHash: purchaseHash(boughtBy(body)) }),
      },
      card,
      once,
      hash: purchaseHash({ purchase, userId: payment.userId, wallet: payment.wallet }),
      threeDs: threeDs(body),
      origin: serviceOrigin(service, context),
      complete: async (work, authorized) => {
        if (body.saveCard === true)
          await putOnFile(work, { customer, cardToken: card.token, at: new Date(service.now()) })
        return settlePayment(service, work, authorized)
      },
    })
    return cardAnswer(paid)
  },
}
