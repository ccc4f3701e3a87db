import { type TotalsBody, totalsBody } from '../../../../redeemkit/schema/checkout.ts'
import type { TotalsResponse } from '../../../../redeemkit/schema/totals.ts'
import { type PaymentRail, paymentRails } from '../../../store/states.ts'
import { checkCheckoutJwt } from '../../auth/checkoutJwt.ts'
import { type CheckoutCustomer, checkoutCustomer } from '../../http/checkoutCustomer.ts'
import { readBody } from '../../http/readBody.ts'
import type { Route } from '../../http/route.ts'
import type { Service } from '../../service.ts'
import { paymentTotals } from './paymentTotals.ts'
import { totalsRecord } from './totalsRecord.ts'

/** `POST /api/checkout/totals/{merchantId}` (PROTOCOL.md 2.11): what the same body is going to cost on each rail. Moves nothing. */
export const totals: Route = {
  method: 'POST',
  path: '/api/checkout/totals/:merchantId',
  handle: async (service, context): Promise<TotalsResponse> => {
    const body = await readBody(context, totalsBody)
    const merchantId = context.req.param('merchantId') ?? ''
    const customer = await checkoutCustomer(service, context, { merchantId })
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
