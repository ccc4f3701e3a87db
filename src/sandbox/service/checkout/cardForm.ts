import type { Context } from 'hono'
import * as z from 'zod/mini'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { orderIdProblem } from '../../../redeemkit/core/orderId.ts'
import { type CardToken, tokenizeBody } from '../../../redeemkit/schema/card.ts'
import { cardCheckoutBody } from '../../../redeemkit/schema/checkout.ts'
import { cardPage, cardStyle, refusedCardPage } from '../../pages/card/cardPage.ts'
import { cardScript } from '../../pages/card/cardScript.ts'
import { isOwnPage, pageOrigin } from '../../servers/findRefusal.ts'
import { checkCheckoutJwt } from '../auth/checkoutJwt.ts'
import { checkOwnPage, serviceOrigin } from '../http/checkCaller.ts'
import { checkoutCustomer } from '../http/checkoutCustomer.ts'
import { findMerchant, type Merchant } from '../http/merchant.ts'
import { checkId, readPrivateBody } from '../http/readBody.ts'
import { type AppEnv, type Route, route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { keepToken, readCard } from './cards.ts'
import { cardAnswer } from './chargeCard.ts'
import { boughtBy, checkSamePurchase, isPaid, oneOrder, paymentsOf, purchaseHash } from './payByCard.ts'

const tokenBody = z.strictObject({ ...tokenizeBody.shape, purchaseId: z.string() })

/** `POST /card/{merchantId}/token` (PROTOCOL.md 10.8): creates a token that can pay only this purchase of this customer. */
export const cardFormToken = route(
  'POST',
  '/card/:merchantId/token',
  async (service, context): Promise<CardToken> => {
    checkOwnPage(service, context)
    const { purchaseId, ...asked } = await readPrivateBody(context, tokenBody)
    checkId(purchaseId, 'purchaseId')
    const card = readCard(asked, service.now())
    const { merchant, userId, wallet, blockchain } = await checkoutCustomer(service, context)
    const { merchantId } = merchant
    return keepToken(service, { card, merchantId, of: { purchaseId, userId, wallet, blockchain } })
  },
)

const { card: _, ...order } = cardCheckoutBody.shape
const body = z.strictObject({ purchaseId: z.string(), order: z.optional(z.strictObject(order)) })
/** Only a checkout JWT can set the order's id. */
type Asked = z.output<typeof body> & { order?: { purchaseId?: string } | undefined }

/** `POST /card/{merchantId}/purchase` (PROTOCOL.md 10.8): returns the state of a purchase and changes nothing. */
export const cardFormPurchase = route('POST', '/card/:merchantId/purchase', async (service, context) => {
  checkOwnPage(service, context)
  const { purchaseId, order }: Asked = await readPrivateBody(context, body)
  checkId(purchaseId, 'purchaseId')
  const customer = await checkoutCustomer(service, context)
  if (order !== undefined) await checkCheckoutJwt(service, { merchant: customer.merchant, body: order })
  oneOrder(purchaseId, order?.purchaseId)
  const database = await service.database()
  const made = await database.transaction((work) => paymentsOf(work, { customer, purchaseId }))
  const paid = made.find(isPaid)
  if (paid !== undefined && order !== undefined) checkSamePurchase(paid, purchaseHash(boughtBy(order)))
  const payment = paid ?? made[0]
  return payment === undefined ? {} : { payment: cardAnswer(payment) }
})

/** `GET /card/{merchantId}?parent=` (PROTOCOL.md 10.8). Only the page at `parent` may embed the form and exchange messages with it. */
const page = route('GET', '/card/:merchantId', async (service, context) => {
  const merchantId = context.req.param('merchantId') ?? ''
  const parent = pageOrigin(context.req.query('parent'))
  const merchant = await findMerchant(service, merchantId)
  const refusal = findRefusal(service, { merchantId, merchant, parent, context })
  if (merchant === undefined || parent === undefined || refusal !== undefined)
    return html(refusedCardPage(refusal ?? ''), { status: 403, ancestors: "'none'" })
  const text = cardPage({
    merchantId,
    parent,
    environment: service.environment,
    headers: service.headers,
  })
  return html(text, { status: 200, ancestors: ancestorsOf(merchant, parent).join(' ') })
})

const file = (name: string, type: string, text: () => Promise<string> | string): Route =>
  route(
    'GET',
    `/card/:merchantId/${name}`,
    async () =>
      new Response(await text(), {
        headers: { 'content-type': `${type}; charset=utf-8`, 'x-content-type-options': 'nosniff' },
      }),
  )

export const cardFormPages: readonly Route[] = [
  page,
  file('form.js', 'text/javascript', cardScript),
  file('form.css', 'text/css', () => cardStyle),
]

function findRefusal(
  service: Service,
  asked: {
    merchantId: string
    merchant: Merchant | undefined
    parent: string | undefined
    context: Context<AppEnv>
  },
): string | undefined {
  const { merchantId, merchant, parent, context } = asked
  const reason = orderIdProblem(merchantId)
  if (reason !== undefined) return `merchantId ${reason}.`
  if (merchant === undefined) return 'The merchant does not exist.'
  if (parent === undefined)
    return 'The query parameter parent is missing. Set it to the origin of the page that shows the form.'
  const { whitelistedAncestorUrls } = merchant.settings
  const { publicUrl, allowedOrigins } = service.settings
  const own = publicUrl === undefined ? [] : [serviceOrigin(service, context)]
  const isAllowed =
    whitelistedAncestorUrls === undefined
      ? isOwnPage(parent, [...allowedOrigins, ...own])
      : whitelistedAncestorUrls.some((one) => pageOrigin(one) === parent)
  if (isAllowed) return undefined
  return `Pages of ${showValue(parent)} may not show the card form. To allow them, add the origin to ${
    whitelistedAncestorUrls === undefined ? 'allowedOrigins' : 'whitelistedAncestorUrls'
  }.`
}

/** `frame-ancestors` must list every page above the form: the parent, and pages that contain the parent. */
function ancestorsOf({ settings }: Merchant, parent: string): string[] {
  const listed = (settings.whitelistedAncestorUrls ?? []).flatMap((one) => pageOrigin(one) ?? [])
  return [...new Set([parent, ...listed])]
}

function html(text: string, { status, ancestors }: { status: number; ancestors: string }): Response {
  return new Response(text, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // 3DS challenges are pages of this service, shown inside the form.
      'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    },
  })
}
