import { voidBody } from '../../../redeemkit/schema/checkout.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { endpoint, type Route } from '../http/route.ts'
import { movePayment, paymentWork } from '../payments/movePayment.ts'
import { findPayment } from '../payments/paymentRecord.ts'
import { cardFormPages, cardFormPurchase, cardFormToken } from './card/cardForm.ts'
import { cardCheckout, savedCardCheckout, zeroAuthorization } from './card/cardRoutes.ts'
import { savedCards, tokenize } from './card/cards.ts'
import { challengePages } from './card/chargeCard.ts'
import { mobileApp, mobileAppPages, pix, wireAccount, wireToken } from './orders.ts'
import { totals } from './totals.ts'
import { usdcAuthorization } from './usdcAuthorization.ts'

/** `POST /api/checkout/void` (PROTOCOL.md 2.6): releases an `authOnly` payment. */
const voidPayment: Route = {
  ...endpoint('voidPayment'),
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

/** Checkouts on every rail, and their preparation (PROTOCOL.md 2.3, 2.6, 2.11). */
export const checkoutRoutes: readonly Route[] = [
  usdcAuthorization,
  totals,
  tokenize,
  cardCheckout,
  ...challengePages,
  zeroAuthorization,
  savedCardCheckout,
  savedCards,
  ...cardFormPages,
  cardFormToken,
  cardFormPurchase,
  wireToken,
  wireAccount,
  pix,
  mobileApp,
  ...mobileAppPages,
  voidPayment,
]
