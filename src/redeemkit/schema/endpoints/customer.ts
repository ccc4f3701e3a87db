import * as z from 'zod/mini'
import { credentialHours } from '../../core/limits.ts'
import { authMessageResponse, sessionKeyResponse } from '../auth.ts'
import { savedCard } from '../checkout.ts'
import { contractAddressQuery, contractAddressResponse } from '../contractAddress.ts'
import { balancesResponse, purchasesQuery, purchasesResponse } from '../purchase.ts'
import { creditsAuthMsgBody, creditsAuthMsgResponse, sendGaslessTxResponse } from '../redeem.ts'
import { sendGaslessTxBody } from '../sendGaslessTxBody.ts'
import {
  purchaseSubscriptionBody,
  purchaseSubscriptionResponse,
  subscription,
  subscriptionPlan,
} from '../subscription.ts'
import { emptyAnswer } from '../values.ts'
import type { Endpoint } from './routes.ts'
import * as routes from './routes.ts'

export const getAuthMessage = {
  id: 'getAuthMessage',
  ...routes.getAuthMessage,
  headers: { required: ['wallet', 'blockchain'], optional: [] },
  answer: authMessageResponse as typeof authMessageResponse,
  ofTheDocuments: true,
  summary: 'Creates a sign-in message for the wallet',
} as const satisfies Endpoint

export const verifyAuth = {
  id: 'verifyAuth',
  ...routes.verifyAuth,
  headers: { required: ['wallet', 'blockchain', 'signedMessage'], optional: [] },
  answer: emptyAnswer as typeof emptyAnswer,
  ofTheDocuments: true,
  summary: 'Verifies a signed sign-in message',
} as const satisfies Endpoint

export const getSessionKey = {
  id: 'getSessionKey',
  ...routes.getSessionKey,
  headers: {
    required: ['authorization'],
    optional: ['userId', 'wallet', 'blockchain'],
    oneOf: [['userId'], ['wallet', 'blockchain']],
  },
  answer: sessionKeyResponse as typeof sessionKeyResponse,
  ofTheDocuments: true,
  summary: `Creates a session key for a customer, valid for ${credentialHours} hours`,
} as const satisfies Endpoint

export const creditsAuthMsg = {
  id: 'creditsAuthMsg',
  ...routes.creditsAuthMsg,
  headers: { required: ['wallet', 'blockchain'], optional: ['sessionKey', 'signedMessage', 'deviceId'] },
  body: creditsAuthMsgBody as typeof creditsAuthMsgBody,
  answer: creditsAuthMsgResponse as typeof creditsAuthMsgResponse,
  errors: [404, 409, 412, 423],
  ofTheDocuments: true,
  summary: 'Prepares a redeem for the customer to sign',
} as const satisfies Endpoint

export const sendGaslessTx = {
  id: 'sendGaslessTx',
  ...routes.sendGaslessTx,
  headers: { required: ['wallet', 'blockchain'], optional: ['sessionKey', 'signedMessage', 'deviceId'] },
  body: sendGaslessTxBody as typeof sendGaslessTxBody,
  answer: sendGaslessTxResponse as typeof sendGaslessTxResponse,
  errors: [404, 409, 412, 423],
  ofTheDocuments: true,
  summary: 'Submits a signed redeem',
} as const satisfies Endpoint

export const getBalances = {
  id: 'getBalances',
  ...routes.getBalances,
  headers: { required: ['wallet', 'blockchain'], optional: ['sessionKey', 'signedMessage'] },
  answer: balancesResponse as typeof balancesResponse,
  errors: [404],
  ofTheDocuments: true,
  summary: 'Returns the credits and USDC of a wallet',
} as const satisfies Endpoint

export const getSavedCards = {
  id: 'getSavedCards',
  ...routes.getSavedCards,
  headers: { required: ['sessionKey'], optional: ['wallet', 'blockchain'] },
  answer: /* @__PURE__ */ z.array(savedCard),
  errors: [404],
  ofTheDocuments: false,
  summary: "Lists the customer's saved cards",
} as const satisfies Endpoint

export const getPurchases = {
  id: 'getPurchases',
  ...routes.getPurchases,
  headers: { required: ['sessionKey'], optional: ['wallet', 'blockchain'] },
  query: purchasesQuery as typeof purchasesQuery,
  answer: purchasesResponse as typeof purchasesResponse,
  errors: [404],
  ofTheDocuments: false,
  summary: "Lists the customer's purchases, newest first",
} as const satisfies Endpoint

export const getPlans = {
  id: 'getPlans',
  ...routes.getPlans,
  headers: { required: ['sessionKey', 'wallet', 'blockchain'], optional: [] },
  answer: /* @__PURE__ */ z.array(subscriptionPlan),
  errors: [404],
  ofTheDocuments: true,
  summary: "Lists the merchant's plans",
} as const satisfies Endpoint

export const getCustomerSubscriptions = {
  id: 'getCustomerSubscriptions',
  ...routes.getCustomerSubscriptions,
  headers: { required: ['sessionKey', 'authorization', 'wallet', 'blockchain'], optional: [] },
  answer: /* @__PURE__ */ z.array(subscription),
  errors: [404],
  ofTheDocuments: true,
  summary: "Lists a customer's subscriptions with a merchant",
} as const satisfies Endpoint

export const purchaseSubscription = {
  id: 'purchaseSubscription',
  ...routes.purchaseSubscription,
  headers: { required: ['sessionKey', 'wallet', 'blockchain'], optional: ['deviceId'] },
  body: purchaseSubscriptionBody as typeof purchaseSubscriptionBody,
  answer: purchaseSubscriptionResponse as typeof purchaseSubscriptionResponse,
  errors: [402, 404, 409, 412, 423],
  ofTheDocuments: true,
  summary: 'Subscribes to a plan with a saved card',
} as const satisfies Endpoint

export const getPlanSubscribers = {
  id: 'getPlanSubscribers',
  ...routes.getPlanSubscribers,
  headers: { required: ['authorization'], optional: [] },
  answer: /* @__PURE__ */ z.array(subscription),
  errors: [404],
  ofTheDocuments: true,
  summary: 'Lists the subscriptions to a plan, by its id or code',
} as const satisfies Endpoint

export const getContractAddress = {
  id: 'getContractAddress',
  ...routes.getContractAddress,
  headers: { required: [], optional: [] },
  query: contractAddressQuery as typeof contractAddressQuery,
  answer: contractAddressResponse as typeof contractAddressResponse,
  ofTheDocuments: true,
  summary: 'Returns the credits contract of a chain, for discovery only',
} as const satisfies Endpoint
