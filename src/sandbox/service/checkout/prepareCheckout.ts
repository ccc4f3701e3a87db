import { amountPerCent } from '../../../redeemkit/core/amount.ts'
import type { Blockchain } from '../../../redeemkit/core/blockchains.ts'
import { unixSeconds } from '../../../redeemkit/core/clock.ts'
import { checkAddress } from '../../../redeemkit/evm/checkAddress.ts'
import type { CustomerInfo } from '../../../redeemkit/schema/customerInfo.ts'
import type { UsdcAuthorizationV1, UsdcAuthorizationV2 } from '../../../redeemkit/schema/usdcAuthorization.ts'
import type { PaymentRail } from '../../store/states.ts'
import { checkCheckoutJwt } from '../auth/checkoutJwt.ts'
import type { CheckoutCustomer } from '../http/checkoutCustomer.ts'
import { evmChain } from '../http/customer.ts'
import { invalid, problem } from '../http/problem.ts'
import type { createPayment } from '../payments/movePayment.ts'
import type { Service } from '../service.ts'
import { checkPlace } from '../withdraw/place.ts'
import { type CarryingBody, carriedByCheckout } from './carriedByCheckout.ts'
import { type PaymentTotals, paymentTotals, type TotalsRequest } from './paymentTotals.ts'
import { convertCents } from './rates.ts'

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

/** Returns cents in the currency of the totals: the total without the part paid in USDC (PROTOCOL.md 2.3, 10.2). */
function centsOnRail(
  service: Service,
  options: {
    totals: PaymentTotals
    wallet: string | undefined
    blockchain: Blockchain | undefined
    body: {
      customerUsdcTransferData?: UsdcAuthorizationV1 | undefined
      customerUsdcTransferDataV2?: UsdcAuthorizationV2 | undefined
    }
  },
): bigint {
  const { totals, wallet, blockchain, body } = options
  const { totalCents, currency } = totals
  const field = body.customerUsdcTransferData ? 'customerUsdcTransferData' : 'customerUsdcTransferDataV2'
  const authorization = body[field]
  if (authorization === undefined) return totalCents
  if (blockchain === undefined || wallet === undefined)
    throw invalid(
      service.headers.wallet,
      `${field} requires the headers ${service.headers.wallet} and ${service.headers.blockchain}.`,
    )
  const chain = evmChain(service, blockchain, service.headers.blockchain)
  if (chain.usdc === undefined || chain.paymentSettlement === undefined)
    throw invalid(field, `Payments on ${blockchain} do not support a USDC part.`)
  const refused = (text: string) => problem('INVALID_USDC_AUTHORIZATION', text, { issues: [field] })
  if (checkAddress(authorization.from, `${field}.from`) !== checkAddress(wallet, service.headers.wallet))
    throw refused(`The USDC authorization is from ${authorization.from}, not from ${wallet}.`)
  if (checkAddress(authorization.to, `${field}.to`) !== chain.paymentSettlement)
    throw refused(
      `The USDC authorization pays ${authorization.to}, not this service (${chain.paymentSettlement}).`,
    )
  const seconds = unixSeconds(service.now)
  if (seconds <= BigInt(authorization.validAfter) || seconds >= BigInt(authorization.validBefore))
    throw refused('The USDC authorization is not valid yet or has expired. Sign a new one.')
  const value = BigInt(authorization.value)
  if (value === 0n || value % amountPerCent !== 0n)
    throw invalid(`${field}.value`, 'The USDC part must be above zero and in whole cents.')
  const usdc = convertCents(value / amountPerCent, { from: 'USD', to: currency, round: 'down', field })
  if (usdc >= totalCents) throw invalid(`${field}.value`, 'The USDC part must be less than the total.')
  return totalCents - usdc
}
