import type { Context } from 'hono'
import * as z from 'zod/mini'
import type { DatabaseWork } from '../../store/database.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { readBody } from '../http/readBody.ts'
import type { AppEnv, Route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { movePayment, paymentWork } from './movePayment.ts'
import { payOrder } from './orderPayments.ts'
import { findPayment, type PaymentRow } from './paymentRecord.ts'

const disputeBody = z.strictObject({ reason: z.optional(z.string()) })
const decisionBody = z.strictObject({ won: z.boolean() })

/** What customers, banks and card networks do with a payment; in the sandbox the developer does it (PROTOCOL.md 2.10). */
export const paymentDecisions: readonly Route[] = [
  {
    method: 'POST',
    path: '/sandbox/payments/:paymentId/pay',
    handle: (service, context) =>
      decide(service, context, (work, payment) => payOrder(service, work, payment)),
  },
  {
    method: 'POST',
    path: '/sandbox/payments/:paymentId/dispute',
    handle: async (service, context) => {
      const { reason } = await readBody(context, disputeBody)
      return decide(service, context, (work, payment) => move(service, work, payment, 'disputed', reason))
    },
  },
  {
    method: 'POST',
    path: '/sandbox/payments/:paymentId/decide',
    handle: async (service, context) => {
      const { won } = await readBody(context, decisionBody)
      return decide(service, context, (work, payment) => move(service, work, payment, won ? 'won' : 'lost'))
    },
  },
]

async function decide(
  service: Service,
  context: Context<AppEnv>,
  run: (work: DatabaseWork, payment: PaymentRow) => Promise<PaymentRow>,
): Promise<{ paymentId: string; status: string }> {
  const { merchantId } = await authorizedMerchant(service, context)
  const paymentId = context.req.param('paymentId') ?? ''
  const { status } = await paymentWork(service, async (work) =>
    run(work, await findPayment(work, { merchantId, paymentId })),
  )
  return { paymentId, status }
}

function move(
  service: Service,
  work: DatabaseWork,
  { paymentId }: PaymentRow,
  to: 'disputed' | 'won' | 'lost',
  reason?: string,
): Promise<PaymentRow> {
  return movePayment(work, { paymentId, to, at: new Date(service.now()), reason })
}
