import { randomUUID } from 'node:crypto'
import { and, desc, eq } from 'drizzle-orm'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import type { CardCheckoutBody } from '../../../redeemkit/schema/checkout.ts'
import { type DatabaseWork, lockUntilEnd } from '../../store/database.ts'
import { hashSecret } from '../../store/setMerchants.ts'
import { cardChallenges, payments } from '../../store/tables/index.ts'
import { inUsd } from '../auth/checkoutJwt.ts'
import type { CheckoutCustomer } from '../http/checkoutCustomer.ts'
import { invalid, problem, type ServiceProblem } from '../http/problem.ts'
import { checkOpen, type createPayment, movePayment, paymentWork } from '../payments/movePayment.ts'
import { paymentMeanings } from '../payments/paymentMeanings.ts'
import { findPayment, ofCustomer, type PaymentRow, wrongState } from '../payments/paymentRecord.ts'
import type { Service } from '../service.ts'
import { cardProblem, checkExpiry } from './cards.ts'
import { type CardRefusal, type CardRow, chargeCard, refusalMessages, type ThreeDs } from './chargeCard.ts'

/** The hash does not depend on the order of fields. */
export function purchaseHash(purchase: unknown): string {
  return hashSecret(JSON.stringify(sorted(purchase)))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([name, part]) => [name, sorted(part)]))
}

/** Returns the parts of a checkout body that a retry of the purchase must not change: content and price (PROTOCOL.md 10.8). */
export function boughtBy(body: Omit<CardCheckoutBody, 'card'>) {
  const { subtotal, customPayInFees, feePercentage, fixedFee, rent } = body
  const { transactionData, stellarTransaction, settlementType, authOnly } = body
  const price = { subtotal: inUsd(subtotal), customPayInFees, feePercentage, fixedFee, rent }
  return { ...price, transactionData, stellarTransaction, settlementType, authOnly }
}

/** Returns the order id of a purchase (PROTOCOL.md 10.8) from the card form, the checkout JWT, or both. */
export function oneOrder(ofForm: string | null, pinned: string | undefined): string | undefined {
  if (ofForm !== null && pinned !== undefined && ofForm !== pinned)
    throw problem(
      'FORBIDDEN',
      `The card form is for order ${showValue(ofForm)}, but the checkout JWT is for order ${showValue(pinned)}.`,
      { issues: ['purchaseId'], details: { field: 'purchaseId' } },
    )
  return ofForm ?? pinned
}

/** A customer's order, which can be paid by card only once (PROTOCOL.md 10.8). */
type OncePurchase = { customer: CheckoutCustomer; purchaseId: string }

/**
 * Finds an earlier payment of a purchase, made in another tab, before a reload, or by a concurrent request. The lock is held until the
 * database transaction ends, so a purchase never gets two payments.
 *
 * @returns the paid payment; otherwise the payment with the same `cardToken`, and its challenge if it has one; otherwise undefined
 */
export async function earlierPayment(
  work: DatabaseWork,
  options: OncePurchase & { cardToken?: string | undefined; purchaseHash: string },
): Promise<{ payment: PaymentRow; transactionId?: string } | undefined> {
  const { customer, purchaseId, cardToken, purchaseHash } = options
  const key = JSON.stringify(['card form', customer.merchant.merchantId, purchaseId])
  await lockUntilEnd(work, key)
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

export function checkSamePurchase(paid: PaymentRow, purchaseHash: string): void {
  if (paid.purchaseHash === purchaseHash) return
  throw problem(
    'AMBIGUOUS_INTENT',
    'This purchase id was used for a different purchase. Use a new id only for a new purchase.',
    { details: { paymentId: paid.paymentId, status: paid.status } },
  )
}

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

export function isPaid({ status }: Pick<PaymentRow, 'status'>): boolean {
  return paymentMeanings[status].isPaid
}

/**
 * Pays immediately or after a 3DS challenge (PROTOCOL.md 10.3). With the challenge's `transactionId`, continues the same payment, or
 * returns it if it is complete.
 */
export async function payByCard(service: Service, purchase: CardPurchase): Promise<PaymentRow> {
  const { transactionId } = purchase.threeDs
  checkExpiry(purchase.card, service.now())
  // A declined payment is stored too, so the error is thrown after the database transaction.
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
  /** Hash of the purchase. A challenge is valid only for the purchase with this hash. */
  hash: string
  threeDs: ThreeDs
  origin: string
  /** Runs after the authorization, in the same database transaction. */
  complete: (work: DatabaseWork, authorized: PaymentRow) => Promise<PaymentRow>
  /** Set for an order with an id. An earlier payment of it is returned instead of charging the card again. */
  once?: OncePurchase | undefined
}

type Result = { payment: PaymentRow } | { refusal: ServiceProblem }

/** @returns undefined if the purchase can proceed, because it has no earlier payment or continues after its challenge */
async function answerEarlier(
  service: Service,
  work: DatabaseWork,
  purchase: CardPurchase,
): Promise<Result | undefined> {
  const { once, card, payment: wanted, threeDs } = purchase
  if (once === undefined) return undefined
  const purchaseHash = wanted.purchaseHash ?? ''
  // The card form creates a new token for each click, so the same token means a retry of the same click.
  const cardToken = card.purchaseId === null ? undefined : card.token
  const earlier = await earlierPayment(work, { ...once, cardToken, purchaseHash })
  if (earlier === undefined) return undefined
  const { payment, transactionId } = earlier
  if (isPaid(payment)) return { payment }
  if (threeDs.transactionId !== undefined) return undefined
  // The request is a retry with the same token after a lost response.
  if (transactionId !== undefined) return resume(service, work, { ...purchase, transactionId })
  return { refusal: refusalOf(payment) }
}

function refusalOf(payment: PaymentRow): ServiceProblem {
  // `Object.keys` loses the type of the keys.
  const reasons = Object.keys(refusalMessages) as CardRefusal[]
  const reason = reasons.find((one) => refusalMessages[one] === payment.error)
  return reason === undefined ? hasFailed(payment) : cardProblem(reason, payment)
}

/** Creates the error for a retry of a payment that has since failed, because the retry must not report success. */
function hasFailed(payment: PaymentRow): ServiceProblem {
  return wrongState(payment, 'The payment failed. Nothing was charged.')
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
  const [challenge] = await work.select().from(cardChallenges).where(isIt).for('update')
  if (challenge === undefined)
    throw invalid('authentication3DS.transactionId', 'The challenge does not exist.')
  if (challenge.purchaseHash !== hash)
    throw problem('INTENT_MISMATCH', 'The challenge belongs to another purchase.')
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
    'The bank requires a 3DS challenge. Redirect the customer to url, then repeat the request with authentication3DS.',
    { details: { transactionId, url: `${origin}/sandbox/3ds/${transactionId}` } },
  )
}
