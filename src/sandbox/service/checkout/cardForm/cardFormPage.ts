import type { Context } from 'hono'
import { showValue } from '../../../../redeemkit/core/errors/showValue.ts'
import { orderIdProblem } from '../../../../redeemkit/core/orderId.ts'
import { cardPage, refusedCardPage } from '../../../pages/card/cardPage.ts'
import { cardScript } from '../../../pages/card/cardScript.ts'
import { cardStyle } from '../../../pages/card/cardStyle.ts'
import { isOwnPage } from '../../../servers/isOwnPage.ts'
import { pageOrigin } from '../../../servers/pageOrigin.ts'
import { findMerchant, type Merchant } from '../../http/merchant.ts'
import type { AppEnv, Route } from '../../http/route.ts'
import { serviceOrigin } from '../../http/serviceOrigin.ts'
import type { Service } from '../../service.ts'

/**
 * `GET /card/{merchantId}?parent=` (PROTOCOL.md 10.8): the card form, for the page at `parent` to show. The answer names that origin
 * to the browser, which shows the form nowhere else, and to the form, which talks to it and to no other.
 */
const page: Route = {
  method: 'GET',
  path: '/card/:merchantId',
  handle: async (service, context) => {
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
  },
}

const file = (name: string, type: string, text: () => Promise<string> | string): Route => ({
  method: 'GET',
  path: `/card/:merchantId/${name}`,
  handle: async () =>
    new Response(await text(), {
      headers: { 'content-type': `${type}; charset=utf-8`, 'x-content-type-options': 'nosniff' },
    }),
})

export const cardFormPages: readonly Route[] = [
  page,
  file('form.js', 'text/javascript', cardScript),
  file('form.css', 'text/css', () => cardStyle),
]

/** Why the form is not shown there, in words for a developer. */
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
  if (merchant === undefined) return 'There is no such merchant.'
  if (parent === undefined)
    return 'The query does not name the page that shows the form: parent is its origin.'
  const { whitelistedAncestorUrls } = merchant.settings
  const { publicUrl, allowedOrigins } = service.settings
  const own = publicUrl === undefined ? [] : [serviceOrigin(service, context)]
  const isAllowed =
    whitelistedAncestorUrls === undefined
      ? isOwnPage(parent, [...allowedOrigins, ...own])
      : whitelistedAncestorUrls.some((one) => pageOrigin(one) === parent)
  if (isAllowed) return undefined
  return `Pages of ${showValue(parent)} may not show the card form. Name that origin in ${
    whitelistedAncestorUrls === undefined ? 'allowedOrigins' : 'whitelistedAncestorUrls'
  } if they may.`
}

/** A page of the merchant's may stand in another one of the same list; without a list the form has one page above it. */
function ancestorsOf({ settings }: Merchant, parent: string): string[] {
  const listed = (settings.whitelistedAncestorUrls ?? []).flatMap((one) => pageOrigin(one) ?? [])
  return [...new Set([parent, ...listed])]
}

function html(text: string, { status, ancestors }: { status: number; ancestors: string }): Response {
  return new Response(text, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // Challenges are pages of this service, shown inside the form.
      'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    },
  })
}
