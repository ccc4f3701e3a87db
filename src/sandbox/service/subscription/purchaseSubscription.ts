import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { type Blockchain, isEvmBlockchain } from '../../../redeemkit/core/blockchains.ts'
import {
  type PurchaseSubscriptionBody,
  type PurchaseSubscriptionResponse,
  purchaseSubscriptionBody,
} from '../../../redeemkit/schema/subscription.ts'
import { type DatabaseWork, lockUntilEnd } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import type { CarriedByPayment, PaymentLine } from '../../store/states.ts'
import { subscriptionBillings, subscriptionMoves, subscriptions } from '../../store/tables/index.ts'
import { cardProblem, checkExpiry, findCard } from '../checkout/cards.ts'
import { carriedByCheckout } from '../checkout/carriedByCheckout.ts'
import { type CardRow, chargeCard } from '../checkout/chargeCard.ts'
import { checkProtection } from '../checkout/prepareCheckout.ts'
import { convertCents } from '../checkout/rates.ts'
import { type CheckoutCustomer, checkoutCustomer } from '../http/checkoutCustomer.ts'
import { invalid, problem, type ServiceProblem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { endpoint } from '../http/route.ts'
import { paymentWork } from '../payments/movePayment.ts'
import { ofCustomer } from '../payments/paymentRecord.ts'
import type { Service } from '../service.ts'
import { settlePayment } from '../settlement/settlePayment.ts'
import { periodStart, subscriptionPayment } from './billSubscriptions.ts'
import { findPlan, planEffect } from './plans.ts'
import { type PlanRow, periodLines, type SubscriptionRow, subscriptionRecord } from './subscriptionRecord.ts'

/** `POST /api/subscription/{merchantId}/subscribers/token`: subscribes, and charges the first period immediately (PROTOCOL.md 2.8, 10.5). */
export const purchaseSubscription = endpoint(
  'purchaseSubscription',
  async (service, context): Promise<PurchaseSubscriptionResponse> => {
    const body = await readBody(context, purchaseSubscriptionBody)
    const customer = await checkoutCustomer(service, context, { needs: ['wallet'] })
    const { merchantId } = customer.merchant
    checkProtection(service, { customer, body })
    const database = await service.database()
    const plan = await findPlan(database, { merchantId, planId: body.planCode })
    if (!plan.active || plan.code !== body.planCode)
      throw problem('NOT_FOUND', 'No active plan has this code.')
    const card = await findCard(service, { customer, token: body.token, field: 'token' })
    checkExpiry(card, service.now())
    const lines = periodLines(plan, body, customer.merchant)
    const carried = await carriedByPlan(service, { customer, plan })
    // A declined payment is stored too, so the error is thrown after the database transaction.
    const result = await paymentWork(service, (work) =>
      subscribe(service, work, { customer, plan, card, body, carried, lines }),
    )
    if ('refusal' in result) throw result.refusal
    return result
  },
)

/** Checks the plan's settlement like a checkout, before the first charge (PROTOCOL.md 10.2), and returns it. */
async function carriedByPlan(
  service: Service,
  { customer, plan }: { customer: CheckoutCustomer; plan: PlanRow },
): Promise<CarriedByPayment> {
  const { transaction, settlementChain, cents, currency } = plan
  const effect = planEffect(plan)
  if (transaction === null || settlementChain === null || effect === undefined) return {}
  const { blockchain } = customer
  if (blockchain === undefined || !isSameFamily(blockchain, settlementChain))
    throw invalid(
      service.headers.blockchain,
      `This plan settles on ${settlementChain}. Send the headers of a wallet on that chain.`,
    )
  const usdCents = convertCents(BigInt(cents), { from: currency, to: 'USD', round: 'down', field: 'amount' })
  return carriedByCheckout(service, {
    customer: { ...customer, blockchain: settlementChain },
    usdCents,
    body: effect,
  })
}

/** EVM chains share addresses. */
function isSameFamily(one: Blockchain, other: Blockchain): boolean {
  return one === other || (isEvmBlockchain(one) && isEvmBlockchain(other))
}

type Purchase = {
  customer: CheckoutCustomer
  plan: PlanRow
  card: CardRow
  body: PurchaseSubscriptionBody
  carried: CarriedByPayment
  lines: readonly PaymentLine[]
}

async function subscribe(
  service: Service,
  work: DatabaseWork,
  purchase: Purchase,
): Promise<PurchaseSubscriptionResponse | { refusal: ServiceProblem }> {
  const { customer, plan, card, lines } = purchase
  await checkNotSubscribed(work, customer, plan)
  const at = new Date(service.now())
  const row = newSubscription(purchase, at)
  const charged = await chargeCard(work, {
    payment: { ...subscriptionPayment(row, { lines, at }), deviceId: customer.deviceId ?? null },
    card,
    // This call cannot present a challenge, but the customer passed one when the card was saved.
    attended: card.behaviour !== 'challenge',
  })
  if (charged.refusal !== undefined) return { refusal: cardProblem(charged.refusal, charged.payment) }
  const { subscriptionId, merchantId } = row
  const { paymentId } = await settlePayment(service, work, charged.payment)
  await work.insert(subscriptions).values(row)
  await work.insert(subscriptionBillings).values({ subscriptionId, period: 0, paymentId, at })
  await work.insert(subscriptionMoves).values({ subscriptionId, from: null, to: 'Active', at })
  await emitEvent(work, { merchantId, type: 'subscription.created', data: subscriptionRecord(row), at })
  return { subscriptionId, paymentId }
}

function newSubscription({ customer, plan, card, body, carried }: Purchase, at: Date): SubscriptionRow {
  const { interval, cents, currency, duration, merchantInitiated } = plan
  return {
    subscriptionId: `sub_${randomUUID()}`,
    merchantId: plan.merchantId,
    planId: plan.planId,
    planCode: plan.code,
    planName: plan.name,
    interval,
    cents,
    currency,
    duration,
    merchantInitiated,
    userId: customer.userId ?? null,
    wallet: customer.wallet ?? null,
    blockchain: customer.blockchain ?? null,
    email: body.customerInfo?.email ?? null,
    customerInfo: body.customerInfo ?? null,
    webhookInfo: body.webhookInfo ?? null,
    settlementChain: plan.transaction === null ? null : plan.settlementChain,
    carried,
    cardToken: card.token,
    status: 'Active',
    anchorAt: at,
    anchorPeriod: 0,
    period: 1,
    refusals: 0,
    dueAt: merchantInitiated ? null : periodStart(at, interval, 1),
    canceledAt: null,
    createdAt: at,
    updatedAt: at,
  }
}

/** Rejects a second purchase of the same plan, which is most likely a mistake and would be charged repeatedly. */
async function checkNotSubscribed(
  work: DatabaseWork,
  customer: CheckoutCustomer,
  { planId, merchantId }: PlanRow,
): Promise<void> {
  const name = `subscription/${merchantId}/${planId}/${customer.userId ?? customer.wallet}`
  // The lock makes concurrent purchases run one after another.
  await lockUntilEnd(work, name)
  const isHeld = and(
    ofCustomer(subscriptions, customer),
    eq(subscriptions.planId, planId),
    inArray(subscriptions.status, ['Active', 'Failed', 'Blocked']),
  )
  const rows = await work.select().from(subscriptions).where(isHeld)
  const held = rows.find(mayBeCharged)
  if (held !== undefined)
    throw problem('SUBSCRIPTION_STATE', 'The customer already has this plan.', {
      details: { subscriptionId: held.subscriptionId, status: held.status },
    })
}

function mayBeCharged({ status, dueAt, merchantInitiated, canceledAt }: SubscriptionRow): boolean {
  return canceledAt === null && (status !== 'Failed' || dueAt !== null || merchantInitiated)
}
