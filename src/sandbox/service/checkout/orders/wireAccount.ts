import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { wireAccounts } from '../../../store/tables/index.ts'
import { authorizedMerchant } from '../../http/merchant.ts'
import { problem } from '../../http/problem.ts'
import { readBody } from '../../http/readBody.ts'
import type { Route } from '../../http/route.ts'

const wireAccountBody = z.strictObject({
  routingNumber: z.string().check(z.regex(/^\d{9}$/, 'expected 9 digits')),
  accountNumber: z.string().check(z.regex(/^\d{4,17}$/, 'expected 4 to 17 digits')),
})

/** `POST /sandbox/wire-accounts`: saves a US bank account, and answers the token that a wire checkout takes (PROTOCOL.md 2.10). */
export const wireAccount: Route = {
  method: 'POST',
  path: '/sandbox/wire-accounts',
  handle: async (service, context) => {
    const { routingNumber, accountNumber } = await readBody(context, wireAccountBody)
    if (!isRoutingNumber(routingNumber))
      throw problem('INVALID_REQUEST', 'The check digit of the routing number is wrong.', {
        issues: ['routingNumber'],
      })
    const { merchantId } = await authorizedMerchant(service, context)
    const token = `wire_${randomBytes(24).toString('base64url')}`
    const lastFour = accountNumber.slice(-4)
    const database = await service.database()
    await database
      .insert(wireAccounts)
      .values({ token, merchantId, routingNumber, lastFour, createdAt: new Date(service.now()) })
    return { token, lastFour }
  },
}

/** The ABA's check digit: weights 3, 7, 1. */
function isRoutingNumber(digits: string): boolean {
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0),
    0,
  )
  return sum % 10 === 0
}
