import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import type { DatabaseWork } from '../../../store/database.ts'
import { cardChallenges, payments } from '../../../store/tables/index.ts'
import { problem } from '../../http/problem.ts'
import { readAnswer } from '../../http/readAnswer.ts'
import type { AppEnv, Route } from '../../http/route.ts'
import { isStorableText } from '../../http/storableText.ts'
import { checkOpen } from '../../payments/checkOpen.ts'
import { movePayment } from '../../payments/movePayment.ts'
import { paymentWork } from '../../payments/paymentWork.ts'
import { sandboxPage } from '../../payments/sandboxPage.ts'
import { refusalWords } from './cardOutcome.ts'

const path = '/sandbox/3ds/:transactionId'

/**
 * The page of the card's bank (PROTOCOL.md 10.3): the customer approves or fails the challenge. Whoever has the link is the
 * customer, as it is with banks. A program posts `{ "answer": "approve" }` or `fail` to it.
 */
export const challengePages: readonly Route[] = [
  {
    method: 'GET',
    path,
    handle: async (service, context) => {
      const { challenge, payment } = await (await service.database()).transaction((work) =>
        find(work, context),
      )
      if (challenge.status !== 'pending') return done()
      const price = `${(payment.chargedCents / 100).toFixed(2)} ${payment.chargedCurrency}`
      return sandboxPage({
        title: 'Confirm your purchase',
        text: `${payment.merchantId} asks for ${price}. This is the sandbox: no bank is involved.`,
        answers: [
          ['approve', 'Approve'],
          ['fail', 'Fail the challenge'],
        ],
      })
    },
  },
  {
    method: 'POST',
    path,
    handle: async (service, context) => {
      const { answer, isForm } = await readAnswer(context, ['approve', 'fail'])
      await paymentWork(service, async (work) => {
        const { challenge, payment, isIt } = await find(work, context)
        if (challenge.status !== 'pending')
          throw problem('PAYMENT_STATE', 'The challenge was answered already.', {
            details: { paymentId: payment.paymentId, status: payment.status },
          })
        checkOpen(service, payment)
        const status = answer === 'approve' ? 'approved' : 'failed'
        await work.update(cardChallenges).set({ status }).where(isIt)
        if (status === 'approved') return
        const reason = refusalWords.challengeFailed
        await movePayment(work, {
          paymentId: payment.paymentId,
          to: 'failed',
          at: new Date(service.now()),
          reason,
          change: { error: reason },
        })
      })
      return isForm ? done() : {}
    },
  },
]

const done = () =>
  sandboxPage({ title: 'Thank you', text: 'The challenge is answered. You can go back to the shop.' })

async function find(work: DatabaseWork, context: Context<AppEnv>) {
  const transactionId = context.req.param('transactionId') ?? ''
  const isIt = eq(cardChallenges.transactionId, transactionId)
  const [row] = isStorableText(transactionId)
    ? await work
        .select({ challenge: cardChallenges, payment: payments })
        .from(cardChallenges)
        .innerJoin(payments, eq(payments.paymentId, cardChallenges.paymentId))
        .where(isIt)
        .for('update')
    : []
  if (row === undefined) throw problem('NOT_FOUND', 'There is no such challenge.')
  return { ...row, isIt }
}
