import { amountPerCent } from '../../../redeemkit/core/amount.ts'
import type { Blockchain } from '../../../redeemkit/core/blockchains.ts'
import { unixSeconds } from '../../../redeemkit/core/clock.ts'
import { checkAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { type TotalsBody, totalsBody } from '../../../redeemkit/schema/checkout.ts'
import type { TotalsResponse } from '../../../redeemkit/schema/totals.ts'
import type { UsdcAuthorizationV1, UsdcAuthorizationV2 } from '../../../redeemkit/schema/usdcAuthorization.ts'
import { type PaymentRail, paymentRails } from '../../store/states.ts'
import { checkCheckoutJwt } from '../auth/checkoutJwt.ts'
import { type CheckoutCustomer, checkoutCustomer } from '../http/checkoutCustomer.ts'
import { evmChain } from '../http/customer.ts'
import { invalid, problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { endpoint, type Route } from '../http/route.ts'
import { totalsRecord } from '../payments/paymentRecord.ts'
import type { Service } from '../service.ts'
import { type PaymentTotals, paymentTotals } from './paymentTotals.ts'
import { convertCents } from './rates.ts'

/** Returns cents in the currency of the totals: the total without the part paid in USDC (PROTOCOL.md 2.3, 10.2). */
export function centsOnRail(
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

/** `POST /api/checkout/totals/{merchantId}` (PROTOCOL.md 2.11): returns the price on each rail and changes nothing. */
export const totals: Route = {
  ...endpoint('getTotals'),
  handle: async (service, context): Promise<TotalsResponse> => {
    const body = await readBody(context, totalsBody)
    const customer = await checkoutCustomer(service, context)
    await checkCheckoutJwt(service, { merchant: customer.merchant, body })
    const ofRails: TotalsResponse = {}
    for (const rail of paymentRails) ofRails[rail] = await ofRail(service, { customer, body, rail })
    return ofRails
  },
}

async function ofRail(
  service: Service,
  options: { customer: CheckoutCustomer; body: TotalsBody; rail: PaymentRail },
) {
  const { customer, body, rail } = options
  const { merchant, blockchain } = customer
  const { lines, currency } = await paymentTotals(service, { merchant, blockchain, rail, body })
  return totalsRecord(
    lines.map(({ cents, ...line }) => ({ ...line, cents: Number(cents) })),
    currency,
  )
}
