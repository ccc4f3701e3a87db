import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import {
  type WireTokenBody,
  type WireTokenResponse,
  wireTokenBody,
} from '../../../../redeemkit/schema/checkout.ts'
import { wireAccounts } from '../../../store/tables/index.ts'
import { checkoutCustomer } from '../../http/checkoutCustomer.ts'
import { problem } from '../../http/problem.ts'
import { readBody } from '../../http/readBody.ts'
import type { Route } from '../../http/route.ts'
import type { Service } from '../../service.ts'
import { prepareCheckout } from '../prepareCheckout.ts'
import { openOrder } from './openOrder.ts'

/** `POST /api/checkout/wire/token` (PROTOCOL.md 2.6): where to wire the money to, from a saved account, within five minutes. */
export const wireToken: Route = {
  method: 'POST',
  path: '/api/checkout/wire/token',
  handle: async (service, context): Promise<WireTokenResponse> => {
    const body = await readBody(context, wireTokenBody)
    const { merchantId } = body
    const customer = await checkoutCustomer(service, context, { merchantId, needs: ['wallet'] })
    const payment = await prepareCheckout(service, { customer, rail: 'wire', body })
    await checkAccount(service, body)
    const memo = `RK${randomBytes(6).toString('hex').toUpperCase()}`
    const order = await openOrder(service, { ...payment, railReference: memo })
    return {
      ...receiver,
      paymentId: order.paymentId,
      memo,
      amount: { cents: order.chargedCents, currency: order.chargedCurrency },
      expires: order.expiresAt.toISOString(),
    }
  },
}

/** A bank that is none: its routing number passes the check digit of the ABA, and begins with 99, which no bank has. */
const receiver = {
  address: { address1: '1 Sandbox Way', city: 'Wilmington', state: 'DE', zip: '19801', country: 'US' },
  account_number: '000123456789',
  wireRoutingNumber: '990000000',
  recipientName: 'Sandbox Payments Inc',
}

/** Numbers beside the token are those of its account. */
async function checkAccount(service: Service, body: WireTokenBody): Promise<void> {
  const database = await service.database()
  const [account] = await database
    .select()
    .from(wireAccounts)
    .where(and(eq(wireAccounts.token, body.token), eq(wireAccounts.merchantId, body.merchantId)))
  if (account === undefined)
    throw problem('INVALID_REQUEST', 'There is no such saved account.', { issues: ['token'] })
  if (body.wireRoutingNumber !== undefined && body.wireRoutingNumber !== account.routingNumber)
    throw problem('INVALID_REQUEST', 'The saved account is at another bank.', {
      issues: ['wireRoutingNumber'],
    })
  if (body.accountNumber !== undefined && body.accountNumber.slice(-4) !== account.lastFour)
    throw problem('INVALID_REQUEST', 'The saved account has another number.', { issues: ['accountNumber'] })
}
