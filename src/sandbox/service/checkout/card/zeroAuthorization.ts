import {
  type ZeroAuthorizationResponse,
  zeroAuthorizationBody,
} from '../../../../redeemkit/schema/checkout.ts'
import { checkCheckoutJwt } from '../../auth/checkoutJwt.ts'
import { checkoutCustomer } from '../../http/checkoutCustomer.ts'
import { checkStorable } from '../../http/checkStorable.ts'
import { readPrivateBody } from '../../http/readPrivateBody.ts'
import type { Route } from '../../http/route.ts'
import { serviceOrigin } from '../../http/serviceOrigin.ts'
import { movePayment } from '../../payments/movePayment.ts'
import { checkPlace } from '../../withdraw/place/checkPlace.ts'
import { checkCart } from '../checkCart.ts'
import { checkSameExpiry } from './checkSameExpiry.ts'
import { findCard } from './findCard.ts'
import { payByCard } from './payByCard.ts'
import { purchaseHash } from './purchaseHash.ts'
import { putOnFile } from './putOnFile.ts'
import { threeDs } from './threeDs.ts'

/**
 * `POST /api/checkout/zero-authorization/{merchantId}` (PROTOCOL.md 2.11): a payment of nothing shows that the card is good, and is
 * voided at once; from then on the customer has the card on file.
 */
export const zeroAuthorization: Route = {
  method: 'POST',
  path: '/api/checkout/zero-authorization/:merchantId',
  handle: async (service, context): Promise<ZeroAuthorizationResponse> => {
    const body = await readPrivateBody(context, zeroAuthorizationBody)
    checkStorable(body)
    const merchantId = context.req.param('merchantId') ?? ''
    const customer = await checkoutCustomer(service, context, { merchantId })
    await checkCheckoutJwt(service, { merchant: customer.merchant, body })
    checkCart(customer.merchant, body)
    await checkPlace(service, { customer, userLocation: body.userLocation })
    const isNew = 'card' in body
    const token = isNew ? body.card.cardToken : body.token
    const card = await findCard(service, { customer, token, field: isNew ? 'card.cardToken' : 'token' })
    if (isNew) checkSameExpiry(body.card, card)
    const { authentication3DS: _, jwtToken: __, ...purchase } = body
    const { userId = null, wallet = null, blockchain = null } = customer
    const { customerInfo = null, webhookInfo = null } = body
    const payment = await payByCard(service, {
      payment: {
        ...ofNothing,
        merchantId,
        userId,
        wallet,
        blockchain,
        customerInfo,
        webhookInfo,
        email: customerInfo?.email ?? null,
        at: new Date(service.now()),
      },
      card,
      hash: purchaseHash({ purchase, userId, wallet }),
      threeDs: threeDs(body),
      origin: serviceOrigin(service, context),
      complete: (work, { paymentId }) =>
        movePayment(work, { paymentId, to: 'voided', at: new Date(service.now()) }),
    })
    const database = await service.database()
    const at = new Date(service.now())
    const onFile = await database.transaction((work) =>
      putOnFile(work, { customer, cardToken: card.token, at }),
    )
    return { paymentId: payment.paymentId, token: onFile, status: payment.status }
  },
}

const ofNothing = {
  rail: 'card',
  authOnly: true,
  subtotalCents: 0,
  totalCents: 0,
  chargedCents: 0,
  usdCents: 0,
  currency: 'USD',
  chargedCurrency: 'USD',
  lines: [],
  carried: {},
} as const
