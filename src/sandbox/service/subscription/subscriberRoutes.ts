import { asc } from 'drizzle-orm'
import type { Context } from 'hono'
import * as z from 'zod/mini'
import {
  type MerchantInitiatedTransactionResponse,
  merchantInitiatedTransactionBody,
} from '../../../redeemkit/schema/payment.ts'
import type { Subscription } from '../../../redeemkit/schema/subscription.ts'
import { filledText } from '../../../redeemkit/schema/values.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { subscriptions } from '../../store/tables/index.ts'
import { cardProblem } from '../checkout/card/cardProblem.ts'
import { checkExpiry } from '../checkout/card/checkExpiry.ts'
import { findCard } from '../checkout/card/findCard.ts'
import { checkoutCustomer } from '../http/checkoutCustomer.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { AppEnv, Route } from '../http/route.ts'
import { ofCustomer } from '../payments/ofCustomer.ts'
import { paymentWork } from '../payments/paymentWork.ts'
import type { Service } from '../service.ts'
import { chargePeriod } from './chargePeriod.ts'
import { findSubscription, ofMerchant } from './findSubscription.ts'
import { changeSubscription, moveSubscription } from './moveSubscription.ts'
import { periodStart } from './periodStart.ts'
import { subscriptionRecord } from './subscriptionRecord.ts'
import type { SubscriptionRow } from './subscriptionRow.ts'

const cardBody = z.strictObject({ token: filledText })

/** What customers and merchants do with a subscription (PROTOCOL.md 2.6, 2.8, 2.10). */
export const subscriberRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/subscription/:merchantId/subscribers',
    handle: async (service, context): Promise<Subscription[]> => {
      const merchantId = context.req.param('merchantId') ?? ''
      const customer = await checkoutCustomer(service, context, { merchantId, needs: ['wallet', 'apiKey'] })
      const database = await service.database()
      const rows = await database
        .select()
        .from(subscriptions)
        .where(ofCustomer(subscriptions, customer))
        .orderBy(asc(subscriptions.createdAt))
      return rows.map(subscriptionRecord)
    },
  },
  {
    method: 'POST',
    path: '/api/checkout/merchant-initiated-transaction',
    handle: async (service, context): Promise<MerchantInitiatedTransactionResponse> => {
      const { subscriptionId } = await readBody(context, merchantInitiatedTransactionBody)
      const { merchantId } = await authorizedMerchant(service, context)
      return takePayment(service, { merchantId, subscriptionId })
    },
  },
  {
    method: 'POST',
    path: '/sandbox/subscription/:merchantId/subscribers/:subscriptionId/cancel',
    handle: async (service, context): Promise<Subscription> => {
      const customer = await checkoutCustomer(service, context, {
        merchantId: context.req.param('merchantId') ?? '',
      })
      const isTheirs = ofCustomer(subscriptions, customer)
      return change(service, context, isTheirs, (work, row, at) =>
        cancel(work, row, { at, reason: 'Canceled by the customer.' }),
      )
    },
  },
  {
    method: 'POST',
    path: '/sandbox/subscription/:merchantId/subscribers/:subscriptionId/card',
    handle: async (service, context): Promise<Subscription> => {
      const { token } = await readBody(context, cardBody)
      const customer = await checkoutCustomer(service, context, {
        merchantId: context.req.param('merchantId') ?? '',
      })
      const card = await findCard(service, { customer, token, field: 'token' })
      checkExpiry(card, service.now())
      return change(service, context, ofCustomer(subscriptions, customer), (work, row, at) =>
        // What failed is tried again at once.
        changeSubscription(
          work,
          row,
          { cardToken: card.token, ...(row.status === 'Failed' && !row.merchantInitiated && { dueAt: at }) },
          at,
        ),
      )
    },
  },
  {
    method: 'POST',
    path: '/sandbox/subscription/subscribers/:subscriptionId/cancel',
    handle: (service, context): Promise<Subscription> =>
      changeOfMerchant(service, context, (work, row, at) =>
        cancel(work, row, { at, reason: 'Canceled by the merchant.' }),
      ),
  },
  {
    method: 'POST',
    path: '/sandbox/subscription/subscribers/:subscriptionId/block',
    handle: (service, context): Promise<Subscription> =>
      changeOfMerchant(service, context, (work, row, at) =>
        moveSubscription(work, row, {
          to: 'Blocked',
          at,
          reason: 'Blocked by the merchant.',
          change: { dueAt: null },
        }),
      ),
  },
  {
    method: 'POST',
    path: '/sandbox/subscription/subscribers/:subscriptionId/unblock',
    handle: (service, context): Promise<Subscription> => changeOfMerchant(service, context, unblock),
  },
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
  isTheirs: ReturnType<typeof ofMerchant>,
  run: Change,
): Promise<Subscription> {
  const subscriptionId = context.req.param('subscriptionId') ?? ''
  const row = await paymentWork(service, async (work) =>
    run(work, await findSubscription(work, { subscriptionId, isTheirs }), new Date(service.now())),
  )
  return subscriptionRecord(row)
}

/** From `Failed` there is no way to `Canceled`: its retries end, and with them everything. */
function cancel(work: DatabaseWork, row: SubscriptionRow, { at, reason }: { at: Date; reason: string }) {
  if (row.status === 'Failed') return changeSubscription(work, row, { dueAt: null }, at)
  return moveSubscription(work, row, { to: 'Canceled', at, reason, change: { dueAt: null } })
}

/** Time that was blocked is not paid: where a period fell due meanwhile, periods are counted from now on. */
function unblock(work: DatabaseWork, row: SubscriptionRow, at: Date) {
  if (row.status !== 'Blocked')
    throw problem('SUBSCRIPTION_STATE', `The subscription is ${row.status}, and not blocked.`, {
      details: { subscriptionId: row.subscriptionId, status: row.status },
    })
  const due = periodStart(row.anchorAt, row.interval, row.period - row.anchorPeriod)
  const isPast = due.getTime() <= at.getTime()
  const change = row.merchantInitiated
    ? { refusals: 0, dueAt: null }
    : { refusals: 0, dueAt: isPast ? at : due, ...(isPast && { anchorAt: at, anchorPeriod: row.period }) }
  return moveSubscription(work, row, { to: 'Active', at, reason: 'Unblocked by the merchant.', change })
}

/** The next payment of a plan that the merchant bills by itself: each request takes one. */
async function takePayment(
  service: Service,
  wanted: { merchantId: string; subscriptionId: string },
): Promise<MerchantInitiatedTransactionResponse> {
  const { merchantId, subscriptionId } = wanted
  const { payment, refusal } = await paymentWork(service, async (work) => {
    const row = await findSubscription(work, { subscriptionId, isTheirs: ofMerchant(merchantId) })
    const { status } = row
    if (!row.merchantInitiated || (status !== 'Active' && status !== 'Failed'))
      throw problem(
        'SUBSCRIPTION_STATE',
        row.merchantInitiated
          ? `The subscription is ${status}: no payment can be taken.`
          : 'The service bills this plan by itself.',
        { details: { subscriptionId, status } },
      )
    return chargePeriod(service, work, row, new Date(service.now()))
  })
  if (payment === undefined) throw problem('CARD_EXPIRED', 'The card of the subscription has expired.')
  if (refusal !== undefined && refusal !== 'expired') throw cardProblem(refusal, payment)
  return { paymentId: payment.paymentId }
}
