import { randomUUID } from 'node:crypto'
import { and, desc, eq, sql } from 'drizzle-orm'
import { showValue } from '../../../../redeemkit/core/errors/showValue.ts'
import type { CardCheckoutBody } from '../../../../redeemkit/schema/checkout.ts'
import type { DatabaseWork } from '../../../store/database.ts'
import { hashSecret } from '../../../store/setMerchants.ts'
import { cardChallenges, payments } from '../../../store/tables/index.ts'
import type { CheckoutCustomer } from '../../http/checkoutCustomer.ts'
import { problem, type ServiceProblem } from '../../http/problem.ts'
import { isStorableText } from '../../http/readBody.ts'
import { checkOpen, type createPayment, movePayment, paymentWork } from '../../payments/movePayment.ts'
import { findPayment, ofCustomer, type PaymentRow } from '../../payments/paymentRecord.ts'
import type { Service } from '../../service.ts'
import { cardProblem, checkExpiry } from './cards.ts'
import { type CardRefusal, type CardRow, chargeCard, refusalWords, type ThreeDs } from './chargeCard.ts'

/** SHA-256 of a purchase, whatever the order of its fields: of plain JSON. */
export function purchaseHash(purchase: unknown): string {
  return hashSecret(JSON.stringify(sorted(purchase)))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([name, part]) => [name, sorted(part)]))
}

/** What a checkout buys and at what price, of which a purchase that is paid once may change nothing (PROTOCOL.md 10.8). */
export function boughtBy(body: Omit<CardCheckoutBody, 'card'>) {
  const { subtotal, customPayInFees, feePercentage, fixedFee, rent } = body
  const { transactionData, stellarTransaction, settlementType, authOnly } = body
  const price = { subtotal, customPayInFees, feePercentage, fixedFee, rent }
  return { ...price, transactionData, stellarTransaction, settlementType, authOnly }
}

/**
 * The order that is paid (PROTOCOL.md 10.8): the card form's, the checkout JWT's, or that of both.
 *
 * @throws ServiceProblem `FORBIDDEN` when they name two
 */
export function oneOrder(ofForm: string | null, pinned: string | undefined): string | undefined {
  if (ofForm !== null && pinned !== undefined && ofForm !== pinned)
    throw problem(
      'FORBIDDEN',
      `The card form is for the order ${showValue(ofForm)}, and the checkout JWT for ${showValue(pinned)}.`,
      { issues: ['purchaseId'], details: { field: 'purchaseId' } },
    )
  return ofForm ?? pinned
}

/** A customer's order, which is paid once by card (PROTOCOL.md 10.8). */
type OncePurchase = { customer: CheckoutCustomer; purchaseId: string }

/**
 * What was made of a purchase before, whoever sent it: in another tab, before a reload, or a moment ago. Until the work ends no
 * other one looks, so that no two payments are made of it.
 *
 * @param options.cardToken the card form's token that is to pay now: sent again after its answer was lost, it answers what it did
 * @returns the payment that has its money, or the one of this very token with its challenge; undefined when none is in the way
 * @throws ServiceProblem `AMBIGUOUS_INTENT` when another thing was bought under this id
 */
export async function earlierPayment(
  work: DatabaseWork,
  options: OncePurchase & { cardToken?: string | undefined; purchaseHash: string },
): Promise<{ payment: PaymentRow; transactionId?: string } | undefined> {
  const { customer, purchaseId, cardToken, purchaseHash } = options
  const key = JSON.stringify(['card form', customer.merchant.merchantId, purchaseId])
  await work.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
  const made = await paymentsOf(work, options)
  const paid = made.find(isPaid)
  if (paid !== undefined) {
    checkSamePurchase(paid, purchaseHash)
    return { payment: paid }
  }
  const own = made.find((payment) => payment.cardToken === cardToken)
  if (own === undefined) return undefined
  const [challenge] = await work
    .select({ transactionId: cardChallenges.transactionId })
    .from(cardChallenges)
    .where(eq(cardChallenges.paymentId, own.paymentId))
  return { payment: own, ...challenge }
}

/**
 * What is paid under an id is what was to be bought under it, at its price.
 *
 * @throws ServiceProblem `AMBIGUOUS_INTENT`
 */
export function checkSamePurchase(paid: PaymentRow, purchaseHash: string): void {
  if (paid.purchaseHash === purchaseHash) return
  throw problem('AMBIGUOUS_INTENT', 'Something else was bought under this purchase id.', {
    details: { paymentId: paid.paymentId, status: paid.status },
  })
}

/** All that were made of a purchase, the newest first. */
export function paymentsOf(
  work: DatabaseWork,
  { customer, purchaseId }: OncePurchase,
): Promise<PaymentRow[]> {
  return work
    .select()
    .from(payments)
    .where(and(eq(payments.purchaseId, purchaseId), ofCustomer(payments, customer)))
    .orderBy(desc(payments.createdAt), desc(payments.paymentId))
}

/** Whether a payment has its money, or is about to. One that was voided, failed or expired leaves the purchase unpaid. */
export function isPaid({ status }: Pick<PaymentRow, 'status'>): boolean {
  return !['created', 'failed', 'expired', 'voided'].includes(status)
}

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

type CardPurchase = {
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
