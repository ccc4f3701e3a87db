import type { Route } from '../http/route.ts'
import { planRoutes } from './planRoutes.ts'
import { purchaseSubscription } from './purchaseSubscription.ts'
import { subscriberRoutes } from './subscriberRoutes.ts'

/** Subscriptions (PROTOCOL.md 2.8, 10.5). */
export const subscriptionRoutes: readonly Route[] = [...planRoutes, purchaseSubscription, ...subscriberRoutes]
