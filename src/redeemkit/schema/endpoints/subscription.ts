import * as z from 'zod/mini'
import {
  purchaseSubscriptionBody,
  purchaseSubscriptionResponse,
  subscription,
  subscriptionPlan,
} from '../subscription.ts'
import type { Endpoint } from './endpoint.ts'

export const getPlans = {
  id: 'getPlans',
  method: 'GET',
  path: '/api/subscription/{merchantId}/plans',
  headers: { required: ['sessionKey', 'wallet', 'blockchain'], optional: [] },
  answer: /* @__PURE__ */ z.array(subscriptionPlan),
  errors: [404],
  ofTheDocuments: true,
  summary: 'The plans that a merchant offers',
} as const satisfies Endpoint

export const getCustomerSubscriptions = {
  id: 'getCustomerSubscriptions',
  method: 'GET',
  path: '/api/subscription/{merchantId}/subscribers',
  headers: { required: ['sessionKey', 'authorization', 'wallet', 'blockchain'], optional: [] },
  answer: /* @__PURE__ */ z.array(subscription),
  errors: [404],
  ofTheDocuments: true,
  summary: "A customer's subscriptions with a merchant",
} as const satisfies Endpoint

export const purchaseSubscription = {
  id: 'purchaseSubscription',
  method: 'POST',
  path: '/api/subscription/{merchantId}/subscribers/token',
  headers: { required: ['sessionKey', 'wallet', 'blockchain'], optional: ['deviceId'] },
  body: purchaseSubscriptionBody as typeof purchaseSubscriptionBody,
  answer: purchaseSubscriptionResponse as typeof purchaseSubscriptionResponse,
  errors: [402, 404, 409, 412, 423],
  ofTheDocuments: true,
  summary: 'Buys a plan with a stored card',
} as const satisfies Endpoint

export const getPlanSubscribers = {
  id: 'getPlanSubscribers',
  method: 'GET',
  path: '/api/merchant/subscription/plans/{planId}/subscribers',
  headers: { required: ['authorization'], optional: [] },
  answer: /* @__PURE__ */ z.array(subscription),
  errors: [404],
  ofTheDocuments: true,
  summary: 'The subscriptions to a plan, named by its id or its code',
} as const satisfies Endpoint

export const subscriptionEndpoints = [
  getPlans,
  getCustomerSubscriptions,
  purchaseSubscription,
  getPlanSubscribers,
] as const
