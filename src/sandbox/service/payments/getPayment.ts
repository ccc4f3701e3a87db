import { asc, eq } from 'drizzle-orm'
import type { Payment } from '../../../redeemkit/schema/payment.ts'
import { cardTokens, paymentMoves } from '../../store/tables/index.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import type { Route } from '../http/route.ts'
import { findPayment } from './findPayment.ts'
import { paymentRecord } from './paymentRecord.ts'

/** `GET /api/merchant/payments/{paymentId}` (PROTOCOL.md 2.7): the payment with all of its moves. */
export const getPayment: Route = {
  method: 'GET',
  path: '/api/merchant/payments/:paymentId',
  handle: async (service, context): Promise<Payment> => {
    const { merchantId } = await authorizedMerchant(service, context)
    const paymentId = context.req.param('paymentId') ?? ''
    const database = await service.database()
    return database.transaction(async (work) => {
      const payment = await findPayment(work, { merchantId, paymentId })
      const moves = await work
        .select()
        .from(paymentMoves)
        .where(eq(paymentMoves.paymentId, paymentId))
        .orderBy(asc(paymentMoves.id))
      const token = payment.cardToken
      const [card] =
        token === null ? [] : await work.select().from(cardTokens).where(eq(cardTokens.token, token))
      return {
        ...paymentRecord(payment),
        ...(card && { card: { token: card.token, lastFour: card.lastFour } }),
        history: moves.map(({ from, to, at, reason }) => ({
          ...(from !== null && { from }),
          to,
          at: at.toISOString(),
          ...(reason !== null && { reason }),
        })),
      }
    })
  },
}
