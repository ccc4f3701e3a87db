import type { CustomerInfo } from '../../../redeemkit/schema/customerInfo.ts'
import type { PaymentRail } from '../../store/states.ts'
import { checkCheckoutJwt } from '../auth/checkoutJwt.ts'
import type { CheckoutCustomer } from '../http/checkoutCustomer.ts'
import { problem } from '../http/problem.ts'

import type { createPayment } from '../payments/movePayment.ts'
import type { Service } from '../service.ts'
import { checkPlace } from '../withdraw/place.ts'
import { type CarryingBody, carriedByCheckout } from './carriedByCheckout.ts'
import { paymentTotals, type TotalsRequest } from './paymentTotals.ts'
import { centsOnRail } from './totals.ts'

/** Chargeback protection requires cart and device (PROTOCOL.md 10.2). Wire and Pix payments cannot be charged back and need neither. */
export function checkProtection(
  { headers }: Pick<Service, 'headers'>,
  {
    customer,
    body,
  }: {
    customer: CheckoutCustomer
    body: { chargebackProtectionData?: readonly unknown[] | undefined }
  },
): void {
  if (customer.merchant.settings.chargebackProtection === false) return
  const issues = [
    ...(body.chargebackProtectionData?.length ? [] : ['chargebackProtectionData']),
    ...(customer.deviceId === undefined ? [headers.deviceId] : []),
  ]
  if (issues.length > 0)
    throw problem(
      'INVALID_REQUEST',
      `This merchant uses chargeback protection, which needs the cart and the customer's device. Send ${issues.join(' and ')}.`,
      { issues },
    )
}

/**
 * Runs the steps of every rail before money moves. Adds to `body` the parameters that its JWT pins.
 *
 * @param options.attended whether the customer is present. Default true. A charge by the merchant has neither JWT nor cart
 */
export async function prepareCheckout(
  service: Service,
  options: { customer: CheckoutCustomer; rail: PaymentRail; body: CheckoutRequest; attended?: boolean },
): Promise<createPayment.New> {
  const { customer, rail, body, attended = true } = options
  const { merchant, userId, wallet, blockchain } = customer
  if (attended) await checkCheckoutJwt(service, { merchant, body })
  // On other rails, only a JWT can set this field, because their bodies lack it.
  if (body.authOnly === true && rail !== 'card')
    throw problem('FORBIDDEN', 'The checkout JWT sets authOnly, which only cards support.', {
      issues: ['authOnly'],
      details: { field: 'authOnly' },
    })
  if (attended && (rail === 'card' || rail === 'mobileapp')) checkProtection(service, { customer, body })
  const totals = await paymentTotals(service, { merchant, blockchain, rail, body })
  const charged = centsOnRail(service, { totals, wallet, blockchain, body })
  await checkPlace(service, { customer, userLocation: body.userLocation })
  const carried = await carriedByCheckout(service, { customer, usdCents: totals.usdCents, body })
  return {
    merchantId: merchant.merchantId,
    userId: userId ?? null,
    wallet: wallet ?? null,
    blockchain: blockchain ?? null,
    deviceId: customer.deviceId ?? null,
    rail,
    subtotalCents: Number(totals.subtotal.cents),
    currency: totals.subtotal.currency,
    usdCents: Number(totals.usdCents),
    chargedCurrency: totals.currency,
    totalCents: Number(totals.totalCents),
    chargedCents: Number(charged),
    lines: totals.lines.map(({ cents, ...line }) => ({ ...line, cents: Number(cents) })),
    carried,
    email: body.email ?? body.customerInfo?.email ?? null,
    customerInfo: body.customerInfo ?? null,
    webhookInfo: body.webhookInfo ?? null,
    at: new Date(service.now()),
  }
}

export type CheckoutRequest = TotalsRequest &
  CarryingBody & {
    jwtToken?: string | undefined
    email?: string | undefined
    customerInfo?: CustomerInfo | undefined
    userLocation?: { lat: number; lng: number } | undefined
    webhookInfo?: Record<string, unknown> | undefined
    chargebackProtectionData?: readonly unknown[] | undefined
    authOnly?: boolean | undefined
    /** Set by a checkout JWT only; no body has this field. */
    purchaseId?: string | undefined
  }
