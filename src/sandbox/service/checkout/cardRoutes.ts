import {
  type CardCheckoutBody,
  type CardCheckoutResponse,
  type CardOnFileBody,
  cardCheckoutBody,
  cardOnFileBody,
  type SavedCardBody,
  savedCardBody,
  type ZeroAuthorizationResponse,
  zeroAuthorizationBody,
} from '../../../redeemkit/schema/checkout.ts'
import { checkCheckoutJwt } from '../auth/checkoutJwt.ts'
import { serviceOrigin } from '../http/checkCaller.ts'
import { type CheckoutCustomer, checkoutCustomer, customerOfMerchant } from '../http/checkoutCustomer.ts'
import { readPrivateBody } from '../http/readBody.ts'
import { endpoint } from '../http/route.ts'
import { movePayment, paymentWork } from '../payments/movePayment.ts'
import type { PaymentRow } from '../payments/paymentRecord.ts'
import type { Service } from '../service.ts'
import { settlePayment } from '../settlement/settlePayment.ts'
import { checkPlace } from '../withdraw/place.ts'
import { cardOfPayment, cardProblem, checkExpiry, checkSameExpiry, findCard, putOnFile } from './cards.ts'
import { cardAnswer, chargeCard, threeDs } from './chargeCard.ts'
import { boughtBy, earlierPayment, oneOrder, payByCard, purchaseHash } from './payByCard.ts'
import { type CheckoutRequest, checkProtection, prepareCheckout } from './prepareCheckout.ts'

/** `POST /api/checkout/card/{merchantId}` (PROTOCOL.md 2.6, 10.3): charges a card. */
export const cardCheckout = endpoint(
  'cardCheckout',
  async (service, context): Promise<CardCheckoutResponse> => {
    const body: CardCheckoutBody & CheckoutRequest = await readPrivateBody(context, cardCheckoutBody)
    const customer = await checkoutCustomer(service, context)
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
      threeDs: threeDs(body, { merchant: customer.merchant, usdCents: payment.usdCents }),
      origin: serviceOrigin(service, context),
      complete: async (work, authorized) => {
        if (body.saveCard === true)
          await putOnFile(work, { customer, cardToken: card.token, at: new Date(service.now()) })
        return settlePayment(service, work, authorized)
      },
    })
    return cardAnswer(paid)
  },
)

/** `POST /api/checkout/token/{merchantId}` (PROTOCOL.md 2.11). No challenge: the customer passed the checks when saving the card. */
export const savedCardCheckout = endpoint(
  'savedCardCheckout',
  async (service, context): Promise<CardCheckoutResponse> => {
    const body: SavedCardBody & CheckoutRequest = await readPrivateBody(context, savedCardBody)
    const customer = await checkoutCustomer(service, context)
    return cardAnswer(await chargeOnFile(service, { customer, body }))
  },
)

/** `POST /api/checkout/card-on-file` (PROTOCOL.md 2.11): charges a saved card, or the card of an earlier payment by the customer. */
export const cardOnFileCheckout = endpoint(
  'cardOnFileCheckout',
  async (service, context): Promise<CardCheckoutResponse> => {
    const body: CardOnFileBody & CheckoutRequest = await readPrivateBody(context, cardOnFileBody)
    const customer = await customerOfMerchant(service, context)
    return cardAnswer(await chargeOnFile(service, { customer, body }))
  },
)

/**
 * Charges without a challenge. An order id in the checkout JWT can be charged only once. `attended` means that the customer is present.
 */
export async function chargeOnFile(
  service: Service,
  charge: {
    customer: CheckoutCustomer
    body: CheckoutRequest &
      Omit<CardCheckoutBody, 'card'> &
      ({ token: string } | { originalPaymentId: string })
    attended?: boolean
  },
): Promise<PaymentRow> {
  const { customer, body } = charge
  const payment = await prepareCheckout(service, { ...charge, rail: 'card' })
  const card =
    'token' in body
      ? await findCard(service, { customer, token: body.token, field: 'token', onFile: true })
      : await cardOfPayment(service, { customer, paymentId: body.originalPaymentId })
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
  return charged.payment
}

/** `POST /api/checkout/zero-authorization/{merchantId}` (PROTOCOL.md 2.11): authorizes zero, voids it, and saves the card. */
export const zeroAuthorization = endpoint(
  'zeroAuthorization',
  async (service, context): Promise<ZeroAuthorizationResponse> => {
    const body = await readPrivateBody(context, zeroAuthorizationBody)
    const customer = await checkoutCustomer(service, context)
    await checkCheckoutJwt(service, { merchant: customer.merchant, body })
    checkProtection(service, { customer, body })
    await checkPlace(service, { customer, userLocation: body.userLocation })
    const isNew = 'card' in body
    const token = isNew ? body.card.cardToken : body.token
    const card = await findCard(service, { customer, token, field: isNew ? 'card.cardToken' : 'token' })
    if (isNew) checkSameExpiry(body.card, card)
    const { authentication3DS: _, jwtToken: __, ...purchase } = body
    const { userId = null, wallet = null, blockchain = null, deviceId = null } = customer
    const { customerInfo = null, webhookInfo = null } = body
    const payment = await payByCard(service, {
      payment: {
        ...ofNothing,
        merchantId: customer.merchant.merchantId,
        userId,
        wallet,
        blockchain,
        deviceId,
        customerInfo,
        webhookInfo,
        email: customerInfo?.email ?? null,
        at: new Date(service.now()),
      },
      card,
      hash: purchaseHash({ purchase, userId, wallet }),
      threeDs: threeDs(body, { merchant: customer.merchant, usdCents: ofNothing.usdCents }),
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
)

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
