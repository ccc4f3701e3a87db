import { type CardCheckoutResponse, cardCheckoutBody } from '../../../../schema/checkout.ts'
import { checkoutCustomer } from '../../http/checkoutCustomer.ts'
import { readPrivateBody } from '../../http/readPrivateBody.ts'
import type { Route } from '../../http/route.ts'
import { serviceOrigin } from '../../http/serviceOrigin.ts'
import { settlePayment } from '../../settlement/settlePayment.ts'
import { prepareCheckout } from '../prepareCheckout.ts'
import { boughtBy } from './boughtBy.ts'
import { cardAnswer } from './cardAnswer.ts'
import { checkSameExpiry } from './checkSameExpiry.ts'
import { findCard } from './findCard.ts'
import { payByCard } from './payByCard.ts'
import { purchaseHash } from './purchaseHash.ts'
import { putOnFile } from './putOnFile.ts'
import { threeDs } from './threeDs.ts'

/** `POST /api/checkout/card/{merchantId}` (PROTOCOL.md 2.6, 10.3). */
export const cardCheckout: Route = {
  method: 'POST',
  path: '/api/checkout/card/:merchantId',
  handle: async (service, context): Promise<CardCheckoutResponse> => {
    const asked = await readPrivateBody(context, cardCheckoutBody)
    const merchantId = context.req.param('merchantId') ?? ''
    const customer = await checkoutCustomer(service, context, { merchantId })
    const { email, cardToken } = asked.card
    const card = await findCard(service, { customer, token: cardToken, field: 'card.cardToken' })
    // The order of the card form has to be that of the checkout JWT, where both name one.
    const body = { ...asked, purchaseId: card.purchaseId ?? undefined }
    const payment = await prepareCheckout(service, { customer, rail: 'card', body })
    checkSameExpiry(body.card, card)
    const { authentication3DS: _, jwtToken: __, ...purchase } = body
    const { authOnly = false, purchaseId } = body
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
