import type { subscriptionPlans, subscriptions } from '../../store/tables/index.ts'

export type SubscriptionRow = typeof subscriptions.$inferSelect
export type PlanRow = typeof subscriptionPlans.$inferSelect
