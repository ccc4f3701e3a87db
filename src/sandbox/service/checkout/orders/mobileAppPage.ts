import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import type { DatabaseWork } from '../../../store/database.ts'
import { payments } from '../../../store/tables/index.ts'
import { problem } from '../../http/problem.ts'
import { readAnswer } from '../../http/readAnswer.ts'
import type { AppEnv, Route } from '../../http/route.ts'
import { isStorableText } from '../../http/storableText.ts'
import type { PaymentRow } from '../../payments/paymentRow.ts'
import { paymentWork } from '../../payments/paymentWork.ts'
import { payOrder } from '../../payments/payOrder.ts'
import { sandboxPage } from '../../payments/sandboxPage.ts'

const path = '/sandbox/mobileapp/:paymentId'

/** Where the mobile app's link leads: the customer pays the order. Whoever has the link can, as it is with such apps. */
export const mobileAppPages: readonly Route[] = [
  {
    method: 'GET',
    path,
    handle: async (service, context) => {
      const payment = await (await service.database()).transaction((work) => find(work, context))
      const price = `${(payment.chargedCents / 100).toFixed(2)} ${payment.chargedCurrency}`
      const isOpen = payment.status === 'created'
      return sandboxPage({
        title: isOpen ? 'Pay in the app' : 'Thank you',
        text: isOpen
          ? `${payment.merchantId} asks for ${price}. This is the sandbox: no money moves.`
          : `The payment is ${payment.status}.`,
        answers: isOpen ? [['pay', 'Pay']] : [],
      })
    },
  },
  {
    method: 'POST',
    path,
    handle: async (service, context) => {
      const { isForm } = await readAnswer(context, ['pay'])
      await paymentWork(service, async (work) => payOrder(service, work, await find(work, context)))
      return isForm
        ? sandboxPage({ title: 'Thank you', text: 'It is paid. You can go back to the shop.' })
        : {}
    },
  },
]

async function find(work: DatabaseWork, context: Context<AppEnv>): Promise<PaymentRow> {
  const paymentId = context.req.param('paymentId') ?? ''
  const [row] = isStorableText(paymentId)
    ? await work.select().from(payments).where(eq(payments.paymentId, paymentId)).for('update')
    : []
  if (row?.rail !== 'mobileapp') throw problem('NOT_FOUND', 'There is no such payment.')
  return row
}
