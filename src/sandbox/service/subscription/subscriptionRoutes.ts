import { and, asc, desc, eq, type SQL } from 'drizzle-orm'
import type { Context } from 'hono'
import * as z from 'zod/mini'
import {
  type MerchantInitiatedTransactionResponse,
  merchantInitiatedTransactionBody,
} from '../../../redeemkit/schema/payment.ts'
import type { Subscription, SubscriptionPlan } from '../../../redeemkit/schema/subscription.ts'
import { filledText } from '../../../redeemkit/schema/values.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { subscriptionPlans, subscriptions } from '../../store/tables/index.ts'
import { chargeOnFile } from '../checkout/cardRoutes.ts'
import { cardProblem, checkExpiry, findCard } from '../checkout/cards.ts'
import { convertCents } from '../checkout/rates.ts'
import { checkoutCustomer, customerOfMerchant } from '../http/checkoutCustomer.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { type AppEnv, endpoint, type Route, route } from '../http/route.ts'
import { paymentWork } from '../payments/movePayment.ts'
import { ofCustomer } from '../payments/paymentRecord.ts'
import type { Service } from '../service.ts'
import { chargePeriod, periodStart } from './billSubscriptions.ts'
import { checkPlanEffect, findPlan, planBody, setPlan } from './plans.ts'
import { purchaseSubscription } from './purchaseSubscription.ts'
import {
  changeSubscription,
  findSubscription,
  moveSubscription,
  ofMerchant,
  planRecord,
  type SubscriptionRow,
  subscriptionRecord,
} from './subscriptionRecord.ts'

const planRoutes: readonly Route[] = [
  endpoint('getPlans', async (service, context): Promise<SubscriptionPlan[]> => {
    const { merchant } = await checkoutCustomer(service, context, { needs: ['wallet'] })
    return plansOf(service, merchant.merchantId, eq(subscriptionPlans.active, true))
  }),
  endpoint('getPlanSubscribers', async (service, context): Promise<Subscription[]> => {
    const { merchantId } = await authorizedMerchant(service, context)
    const database = await service.database()
    const { planId } = await findPlan(database, { merchantId, planId: context.req.param('planId') ?? '' })
    return subscriptionsOf(service, eq(subscriptions.planId, planId))
  }),
  route('GET', '/sandbox/subscription/subscribers', async (service, context): Promise<Subscription[]> => {
    const { merchantId } = await authorizedMerchant(service, context)
    const database = await service.database()
    const all = database.select().from(subscriptions).where(ofMerchant(merchantId))
    const newest = await all.orderBy(desc(subscriptions.createdAt)).limit(mostSubscribers)
    return newest.map(subscriptionRecord)
  }),
  route(
    'GET',
    '/sandbox/subscription/plans',
    async (service, context): Promise<SubscriptionPlan[]> =>
      plansOf(service, (await authorizedMerchant(service, context)).merchantId),
  ),
  route('POST', '/sandbox/subscription/plans', async (service, context): Promise<SubscriptionPlan> => {
    const plan = await readBody(context, planBody)
    // Rejects a currency without a rate, because every payment would fail.
    convertCents(0n, { from: plan.amount.currency, to: 'USD', round: 'down', field: 'amount.currency' })
    await checkPlanEffect(service, plan)
    const { merchantId } = await authorizedMerchant(service, context)
    const database = await service.database()
    return planRecord(await setPlan(database, { merchantId, plan, at: new Date(service.now()) }))
  }),
]

async function plansOf(service: Service, merchantId: string, also?: SQL): Promise<SubscriptionPlan[]> {
  const database = await service.database()
  const rows = await database
    .select()
    .from(subscriptionPlans)
    .where(and(eq(subscriptionPlans.merchantId, merchantId), also))
    .orderBy(asc(subscriptionPlans.createdAt), asc(subscriptionPlans.code))
  return rows.map(planRecord)
}

async function subscriptionsOf(service: Service, isTheirs: SQL): Promise<Subscription[]> {
  const database = await service.database()
  const rows = await database
    .select()
    .from(subscriptions)
    .where(isTheirs)
    .orderBy(asc(subscriptions.createdAt))
  return rows.map(subscriptionRecord)
}

/** Limit of the dashboard's list, which shows the newest subscriptions. */
const mostSubscribers = 100

const cardBody = z.strictObject({ token: filledText })

const subscriberRoutes: readonly Route[] = [
  endpoint('getCustomerSubscriptions', async (service, context): Promise<Subscription[]> => {
    const customer = await checkoutCustomer(service, context, { needs: ['wallet', 'apiKey'] })
    return subscriptionsOf(service, ofCustomer(subscriptions, customer))
  }),
  endpoint(
    'merchantInitiatedTransaction',
    async (service, context): Promise<MerchantInitiatedTransactionResponse> => {
      const body = await readBody(context, merchantInitiatedTransactionBody)
      if ('subscriptionId' in body) {
        const { merchantId } = await authorizedMerchant(service, context)
        return takePayment(service, { merchantId, ...body })
      }
      const customer = await customerOfMerchant(service, context)
      const { paymentId } = await chargeOnFile(service, { customer, body, attended: false })
      return { paymentId }
    },
  ),
  route(
    'POST',
    '/sandbox/subscription/:merchantId/subscribers/:subscriptionId/cancel',
    async (service, context): Promise<Subscription> => {
      const customer = await checkoutCustomer(service, context)
      const isTheirs = ofCustomer(subscriptions, customer)
      return change(service, context, isTheirs, (work, row, at) =>
        cancel(work, row, { at, reason: 'Canceled by the customer.' }),
      )
    },
  ),
  route(
    'POST',
    '/sandbox/subscription/:merchantId/subscribers/:subscriptionId/card',
    async (service, context): Promise<Subscription> => {
      const { token } = await readBody(context, cardBody)
      const customer = await checkoutCustomer(service, context)
      const card = await findCard(service, { customer, token, field: 'token' })
      checkExpiry(card, service.now())
      return change(service, context, ofCustomer(subscriptions, customer), (work, row, at) =>
        // The next billing pass retries a failed payment immediately.
        changeSubscription(work, row, { cardToken: card.token, ...(isRetried(row) && { dueAt: at }) }, at),
      )
    },
  ),
  route(
    'POST',
    '/sandbox/subscription/subscribers/:subscriptionId/cancel',
    (service, context): Promise<Subscription> =>
      changeOfMerchant(service, context, (work, row, at) =>
        cancel(work, row, { at, reason: 'Canceled by the merchant.' }),
      ),
  ),
  route(
    'POST',
    '/sandbox/subscription/subscribers/:subscriptionId/block',
    (service, context): Promise<Subscription> =>
      changeOfMerchant(service, context, (work, row, at) =>
        moveSubscription(work, row, {
          to: 'Blocked',
          at,
          reason: 'Blocked by the merchant.',
          change: { dueAt: null },
        }),
      ),
  ),
  route(
    'POST',
    '/sandbox/subscription/subscribers/:subscriptionId/unblock',
    (service, context): Promise<Subscription> => changeOfMerchant(service, context, unblock),
  ),
]

type Change = (work: DatabaseWork, row: SubscriptionRow, at: Date) => Promise<SubscriptionRow>

async function changeOfMerchant(
  service: Service,
  context: Context<AppEnv>,
  run: Change,
): Promise<Subscription> {
  const { merchantId } = await authorizedMerchant(service, context)
  return change(service, context, ofMerchant(merchantId), run)
}

async function change(
  service: Service,
  context: Context<AppEnv>,
  isTheirs: SQL,
  run: Change,
): Promise<Subscription> {
  const subscriptionId = context.req.param('subscriptionId') ?? ''
  const row = await paymentWork(service, async (work) =>
    run(work, await findSubscription(work, { subscriptionId, isTheirs }), new Date(service.now())),
  )
  return subscriptionRecord(row)
}

const stateOf = ({ status, canceledAt }: SubscriptionRow) => (canceledAt === null ? status : 'canceled')

/** Whether a new card triggers an immediate retry of a failed period. */
function isRetried({ status, merchantInitiated, canceledAt }: SubscriptionRow): boolean {
  return status === 'Failed' && !merchantInitiated && canceledAt === null
}

/** A `Failed` or `Blocked` subscription cannot become `Canceled` and keeps its state. */
function cancel(work: DatabaseWork, row: SubscriptionRow, { at, reason }: { at: Date; reason: string }) {
  if (row.status === 'Failed' || row.status === 'Blocked')
    return changeSubscription(work, row, { dueAt: null, canceledAt: at }, at)
  return moveSubscription(work, row, { to: 'Canceled', at, reason, change: { dueAt: null } })
}

/** Blocked time is not charged: if a period became due meanwhile, periods count from now. */
function unblock(work: DatabaseWork, row: SubscriptionRow, at: Date) {
  if (row.status !== 'Blocked' || row.canceledAt !== null)
    throw problem('SUBSCRIPTION_STATE', `The subscription is ${stateOf(row)} and cannot be unblocked.`, {
      details: { subscriptionId: row.subscriptionId, status: row.status },
    })
  const due = periodStart(row.anchorAt, row.interval, row.period - row.anchorPeriod)
  const isPast = due.getTime() <= at.getTime()
  const change = row.merchantInitiated
    ? { refusals: 0, dueAt: null }
    : { refusals: 0, dueAt: isPast ? at : due, ...(isPast && { anchorAt: at, anchorPeriod: row.period }) }
  return moveSubscription(work, row, { to: 'Active', at, reason: 'Unblocked by the merchant.', change })
}

/** The merchant bills this plan. Each request charges one period. */
async function takePayment(
  service: Service,
  { merchantId, subscriptionId }: { merchantId: string; subscriptionId: string },
): Promise<MerchantInitiatedTransactionResponse> {
  const { payment, refusal } = await paymentWork(service, async (work) => {
    const row = await findSubscription(work, { subscriptionId, isTheirs: ofMerchant(merchantId) })
    const { status, canceledAt } = row
    if (!row.merchantInitiated || (status !== 'Active' && status !== 'Failed') || canceledAt !== null)
      throw problem(
        'SUBSCRIPTION_STATE',
        row.merchantInitiated
          ? `The subscription is ${stateOf(row)}: no payment can be taken.`
          : 'The service bills this plan automatically.',
        { details: { subscriptionId, status } },
      )
    return chargePeriod(service, work, row, new Date(service.now()))
  })
  if (payment === undefined) throw problem('CARD_EXPIRED', 'The card of the subscription has expired.')
  if (refusal !== undefined && refusal !== 'expired') throw cardProblem(refusal, payment)
  return { paymentId: payment.paymentId }
}

export const subscriptionRoutes: readonly Route[] = [...planRoutes, purchaseSubscription, ...subscriberRoutes]
