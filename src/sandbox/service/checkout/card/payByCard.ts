import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { DatabaseWork } from '../../../store/database.ts'
import { cardChallenges } from '../../../store/tables/index.ts'
import { problem, type ServiceProblem } from '../../http/problem.ts'
import { isStorableText } from '../../http/storableText.ts'
import { checkOpen } from '../../payments/checkOpen.ts'
import type { createPayment } from '../../payments/createPayment.ts'
import { findPayment } from '../../payments/findPayment.ts'
import { movePayment } from '../../payments/movePayment.ts'
import type { PaymentRow } from '../../payments/paymentRow.ts'
import { paymentWork } from '../../payments/paymentWork.ts'
import type { Service } from '../../service.ts'
import { type CardRefusal, refusalWords } from './cardOutcome.ts'
import { cardProblem } from './cardProblem.ts'
import { type CardRow, chargeCard } from './chargeCard.ts'
import { checkExpiry } from './checkExpiry.ts'
import { earlierPayment, isPaid, type OncePurchase } from './earlierPayment.ts'
import type { ThreeDs } from './threeDs.ts'

/**
 * A purchase by card with the customer there: charged at once, or after a 3DS challenge (PROTOCOL.md 10.3). Sent again with the
 * challenge's `transactionId` it goes on with the same payment, and once that is done it answers it.
 *
 * @param purchase.complete what follows the authorization, in the same database transaction
 * @throws ServiceProblem `CARD_EXPIRED`, `CARD_DECLINED`, `FRAUD_SUSPECTED`, `CHALLENGE_REQUIRED`; `INTENT_MISMATCH` for the
 * challenge of another purchase
 */
export async function payByCard(service: Service, purchase: CardPurchase): Promise<PaymentRow> {
  const { transactionId } = purchase.threeDs
  checkExpiry(purchase.card, service.now())
  // What is refused is written down, too: the error comes after the work.
  const result = await paymentWork(service, async (work) => {
    const earlier = await answerEarlier(service, work, purchase)
    if (earlier !== undefined) return earlier
    return transactionId === undefined
      ? begin(work, purchase)
      : resume(service, work, { ...purchase, transactionId })
  })
  if ('refusal' in result) throw result.refusal
  return result.payment
}

export type CardPurchase = {
  payment: createPayment.New
  card: CardRow
  /** Of the purchase: a challenge is good for this one only. */
  hash: string
  threeDs: ThreeDs
  /** Where the service is reached: the challenge page is there. */
  origin: string
  complete: (work: DatabaseWork, authorized: PaymentRow) => Promise<PaymentRow>
  /** Of an order with an id: whatever was made of it before is answered, and nothing is charged again. */
  once?: OncePurchase | undefined
}

type Result = { payment: PaymentRow } | { refusal: ServiceProblem }

/** Undefined where the purchase goes its way: it is the first, or it goes on after its challenge. */
async function answerEarlier(
  service: Service,
  work: DatabaseWork,
  purchase: CardPurchase,
): Promise<Result | undefined> {
  const { once, card, payment: wanted, threeDs } = purchase
  if (once === undefined) return undefined
  const purchaseHash = wanted.purchaseHash ?? ''
  // Only the card form makes a new token for each click: an equal one is the same click again.
  const cardToken = card.purchaseId === null ? undefined : card.token
  const earlier = await earlierPayment(work, { ...once, cardToken, purchaseHash })
  if (earlier === undefined) return undefined
  const { payment, transactionId } = earlier
  if (isPaid(payment)) return { payment }
  if (threeDs.transactionId !== undefined) return undefined
  // The same token again, whose first answer was lost.
  if (transactionId !== undefined) return resume(service, work, { ...purchase, transactionId })
  return { refusal: refusalOf(payment) }
}

/** What was answered when the card was refused. */
function refusalOf(payment: PaymentRow): ServiceProblem {
  // The keys of the table, by its type.
  const reasons = Object.keys(refusalWords) as CardRefusal[]
  const reason = reasons.find((one) => refusalWords[one] === payment.error)
  return reason === undefined ? hasFailed(payment) : cardProblem(reason, payment)
}

/** Whoever sends again what has failed since is not told of success. */
function hasFailed({ paymentId, status }: PaymentRow): ServiceProblem {
  return problem('PAYMENT_STATE', 'The payment has failed: nothing was charged.', {
    details: { paymentId, status },
  })
}

async function begin(work: DatabaseWork, purchase: CardPurchase): Promise<Result> {
  const { hash, origin, complete } = purchase
  const { payment, refusal } = await chargeCard(work, { ...purchase, attended: true })
  if (refusal !== undefined) return { refusal: cardProblem(refusal, payment) }
  if (payment.status === 'authorized') return { payment: await complete(work, payment) }
  const transactionId = randomUUID()
  const { merchantId, paymentId, createdAt } = payment
  await work
    .insert(cardChallenges)
    .values({ transactionId, merchantId, paymentId, purchaseHash: hash, status: 'pending', createdAt })
  return { refusal: challengeProblem(origin, transactionId) }
}

async function resume(
  service: Service,
  work: DatabaseWork,
  purchase: CardPurchase & { transactionId: string },
): Promise<Result> {
  const { transactionId, hash, origin, complete } = purchase
  const { merchantId } = purchase.payment
  const isIt = and(eq(cardChallenges.transactionId, transactionId), eq(cardChallenges.merchantId, merchantId))
  const [challenge] = isStorableText(transactionId)
    ? await work.select().from(cardChallenges).where(isIt).for('update')
    : []
  if (challenge === undefined)
    throw problem('INVALID_REQUEST', 'There is no such challenge.', {
      issues: ['authentication3DS.transactionId'],
    })
  if (challenge.purchaseHash !== hash)
    throw problem('INTENT_MISMATCH', 'The challenge was for another purchase than the one in the body.')
  const payment = await findPayment(work, { merchantId, paymentId: challenge.paymentId })
  if (challenge.status === 'used' && payment.status === 'failed') return { refusal: hasFailed(payment) }
  if (challenge.status === 'used') return { payment }
  if (challenge.status === 'failed') return { refusal: cardProblem('challengeFailed', payment) }
  checkOpen(service, payment)
  if (challenge.status === 'pending') return { refusal: challengeProblem(origin, transactionId) }
  await work.update(cardChallenges).set({ status: 'used' }).where(isIt)
  const { paymentId } = payment
  const authorized = await movePayment(work, {
    paymentId,
    to: 'authorized',
    at: new Date(service.now()),
  })
  return { payment: await complete(work, authorized) }
}

function challengeProblem(origin: string, transactionId: string): ServiceProblem {
  return problem(
    'CHALLENGE_REQUIRED',
    'The card’s bank asks the customer for a confirmation: send them to url, then send the same again with authentication3DS.',
    { details: { transactionId, url: `${origin}/sandbox/3ds/${transactionId}` } },
  )
}
