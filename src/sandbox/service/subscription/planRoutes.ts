import { and, asc, desc, eq } from 'drizzle-orm'
import type { Subscription, SubscriptionPlan } from '../../../redeemkit/schema/subscription.ts'
import { subscriptionPlans, subscriptions } from '../../store/tables/index.ts'
import { convertCents } from '../checkout/totals/convertCents.ts'
import { checkoutCustomer } from '../http/checkoutCustomer.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import { isStorableText } from '../http/storableText.ts'
import { checkPlanEffect } from './checkPlanEffect.ts'
import { findPlan } from './findPlan.ts'
import { planBody, setPlan } from './setPlan.ts'
import { planRecord, subscriptionRecord } from './subscriptionRecord.ts'

/** Plans (PROTOCOL.md 2.8, 2.10). */
export const planRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/subscription/:merchantId/plans',
    handle: async (service, context): Promise<SubscriptionPlan[]> => {
      const merchantId = context.req.param('merchantId') ?? ''
      await checkoutCustomer(service, context, { merchantId, needs: ['wallet'] })
      const database = await service.database()
      const rows = await database
        .select()
        .from(subscriptionPlans)
        .where(and(eq(subscriptionPlans.merchantId, merchantId), eq(subscriptionPlans.active, true)))
        .orderBy(asc(subscriptionPlans.createdAt), asc(subscriptionPlans.code))
      return rows.map(planRecord)
    },
  },
  {
    method: 'GET',
    path: '/api/merchant/subscription/plans/:planId/subscribers',
    handle: async (service, context): Promise<Subscription[]> => {
      const { merchantId } = await authorizedMerchant(service, context)
      const database = await service.database()
      const { planId } = await findPlan(database, { merchantId, planId: context.req.param('planId') ?? '' })
      const rows = await database
        .select()
        .from(subscriptions)
        .where(eq(subscriptions.planId, planId))
        .orderBy(asc(subscriptions.createdAt))
      return rows.map(subscriptionRecord)
    },
  },
  {
    method: 'GET',
    path: '/sandbox/subscription/subscribers',
    handle: async (service, context): Promise<Subscription[]> => {
      const { merchantId } = await authorizedMerchant(service, context)
      const database = await service.database()
      const rows = await database
        .select()
        .from(subscriptions)
        .where(eq(subscriptions.merchantId, merchantId))
        .orderBy(desc(subscriptions.createdAt))
        .limit(mostSubscribers)
      return rows.map(subscriptionRecord)
    },
  },
  {
    method: 'GET',
    path: '/sandbox/subscription/plans',
    handle: async (service, context): Promise<SubscriptionPlan[]> => {
      const { merchantId } = await authorizedMerchant(service, context)
      const database = await service.database()
      const rows = await database
        .select()
        .from(subscriptionPlans)
        .where(eq(subscriptionPlans.merchantId, merchantId))
        .orderBy(asc(subscriptionPlans.createdAt), asc(subscriptionPlans.code))
      return rows.map(planRecord)
    },
  },
  {
    method: 'POST',
    path: '/sandbox/subscription/plans',
    handle: async (service, context): Promise<SubscriptionPlan> => {
      const plan = await readBody(context, planBody)
      const texts = [plan.code, plan.name, plan.description, plan.transaction]
      if (!texts.every((text) => text === undefined || isStorableText(text)))
        throw problem('INVALID_REQUEST', 'A text of the plan is not well-formed.', { issues: ['code'] })
      // A currency without a rate would fail at every payment.
      convertCents(0n, { from: plan.amount.currency, to: 'USD', round: 'down', field: 'amount.currency' })
      await checkPlanEffect(service, plan)
      const { merchantId } = await authorizedMerchant(service, context)
      const database = await service.database()
      return planRecord(await setPlan(database, { merchantId, plan, at: new Date(service.now()) }))
    },
  },
]

/** Of the list for a person, who looks at the newest. */
const mostSubscribers = 100
