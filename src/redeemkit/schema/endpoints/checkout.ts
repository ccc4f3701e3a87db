import { credentialHours, orderMinutes } from '../../core/limits.ts'
import { cardToken, tokenizeBody } from '../card.ts'
import {
  cardCheckoutBody,
  cardCheckoutResponse,
  cardOnFileBody,
  checkoutJwtBody,
  checkoutJwtResponse,
  mobileAppBody,
  mobileAppResponse,
  pixBody,
  pixResponse,
  savedCardBody,
  totalsBody,
  voidBody,
  wireTokenBody,
  wireTokenResponse,
  zeroAuthorizationBody,
  zeroAuthorizationResponse,
} from '../checkout.ts'
import { merchantInitiatedTransactionBody, merchantInitiatedTransactionResponse } from '../payment.ts'
import { totalsResponse } from '../totals.ts'
import { usdcAuthorizationBody, usdcAuthorizationMessage } from '../usdcAuthorization.ts'
import { emptyAnswer } from '../values.ts'
import type { Endpoint } from './routes.ts'
import * as routes from './routes.ts'

export const createCheckoutJwt = {
  id: 'createCheckoutJwt',
  ...routes.createCheckoutJwt,
  headers: { required: ['authorization'], optional: [] },
  body: checkoutJwtBody as typeof checkoutJwtBody,
  answer: checkoutJwtResponse as typeof checkoutJwtResponse,
  ofTheDocuments: true,
  summary: `Creates a token that pins the parameters of a checkout, valid for ${credentialHours} hours`,
} as const satisfies Endpoint

export const tokenizeCard = {
  id: 'tokenizeCard',
  ...routes.tokenizeCard,
  headers: { required: ['authorization'], optional: [] },
  body: tokenizeBody as typeof tokenizeBody,
  answer: cardToken as typeof cardToken,
  ofTheDocuments: true,
  summary: 'Replaces card data with a token, for merchants who may handle card data',
} as const satisfies Endpoint

export const cardCheckout = {
  id: 'cardCheckout',
  ...routes.cardCheckout,
  headers: { required: ['sessionKey'], optional: ['wallet', 'blockchain', 'deviceId', 'clientIp'] },
  body: cardCheckoutBody as typeof cardCheckoutBody,
  answer: cardCheckoutResponse as typeof cardCheckoutResponse,
  errors: [402, 404, 409, 412, 423],
  ofTheDocuments: true,
  summary: 'Pays with a card',
} as const satisfies Endpoint

export const wireTokenCheckout = {
  id: 'wireTokenCheckout',
  ...routes.wireTokenCheckout,
  headers: { required: ['sessionKey', 'wallet', 'blockchain'], optional: ['deviceId'] },
  body: wireTokenBody as typeof wireTokenBody,
  answer: wireTokenResponse as typeof wireTokenResponse,
  errors: [404, 412, 423],
  ofTheDocuments: true,
  summary: `Creates an order for a US wire from a saved account, to be paid within ${orderMinutes} minutes`,
} as const satisfies Endpoint

export const pixCheckout = {
  id: 'pixCheckout',
  ...routes.pixCheckout,
  headers: { required: ['sessionKey', 'wallet', 'blockchain', 'userId'], optional: ['deviceId'] },
  body: pixBody as typeof pixBody,
  answer: pixResponse as typeof pixResponse,
  errors: [404, 412, 423],
  ofTheDocuments: true,
  summary: `Creates an order for a Pix payment, to be paid within ${orderMinutes} minutes`,
} as const satisfies Endpoint

export const mobileAppCheckout = {
  id: 'mobileAppCheckout',
  ...routes.mobileAppCheckout,
  headers: {
    required: ['sessionKey', 'wallet', 'blockchain', 'userId', 'authorization'],
    optional: ['deviceId', 'clientIp'],
  },
  body: mobileAppBody as typeof mobileAppBody,
  answer: mobileAppResponse as typeof mobileAppResponse,
  errors: [404, 423],
  ofTheDocuments: true,
  summary: 'Creates a link that opens the payment in a mobile payment app',
} as const satisfies Endpoint

export const voidPayment = {
  id: 'voidPayment',
  ...routes.voidPayment,
  headers: { required: ['authorization'], optional: [] },
  body: voidBody as typeof voidBody,
  answer: emptyAnswer as typeof emptyAnswer,
  errors: [404, 409],
  ofTheDocuments: true,
  summary: 'Voids a payment that was only authorized',
} as const satisfies Endpoint

export const merchantInitiatedTransaction = {
  id: 'merchantInitiatedTransaction',
  ...routes.merchantInitiatedTransaction,
  headers: { required: ['authorization'], optional: ['userId'] },
  body: merchantInitiatedTransactionBody as typeof merchantInitiatedTransactionBody,
  answer: merchantInitiatedTransactionResponse as typeof merchantInitiatedTransactionResponse,
  errors: [402, 404, 409, 410, 412],
  ofTheDocuments: true,
  summary:
    'Charges the next payment of a subscription that the merchant bills, or the card of an earlier payment',
} as const satisfies Endpoint

export const usdcAuthorization = {
  id: 'usdcAuthorization',
  ...routes.usdcAuthorization,
  headers: { required: ['wallet', 'blockchain'], optional: ['sessionKey', 'signedMessage'] },
  body: usdcAuthorizationBody as typeof usdcAuthorizationBody,
  answer: usdcAuthorizationMessage as typeof usdcAuthorizationMessage,
  ofTheDocuments: true,
  summary: 'Prepares the USDC authorization of a checkout for the customer to sign',
} as const satisfies Endpoint

export const getTotals = {
  id: 'getTotals',
  ...routes.getTotals,
  headers: { required: ['sessionKey'], optional: ['wallet', 'blockchain'] },
  body: totalsBody as typeof totalsBody,
  answer: totalsResponse as typeof totalsResponse,
  errors: [404],
  ofTheDocuments: false,
  summary: 'Calculates the totals of a checkout for each rail',
} as const satisfies Endpoint

export const zeroAuthorization = {
  id: 'zeroAuthorization',
  ...routes.zeroAuthorization,
  headers: { required: ['sessionKey'], optional: ['wallet', 'blockchain', 'deviceId', 'clientIp'] },
  body: zeroAuthorizationBody as typeof zeroAuthorizationBody,
  answer: zeroAuthorizationResponse as typeof zeroAuthorizationResponse,
  errors: [402, 404, 409, 412, 423],
  ofTheDocuments: false,
  summary: 'Saves a card with a zero-amount authorization',
} as const satisfies Endpoint

export const savedCardCheckout = {
  id: 'savedCardCheckout',
  ...routes.savedCardCheckout,
  headers: { required: ['sessionKey'], optional: ['wallet', 'blockchain', 'deviceId', 'clientIp'] },
  body: savedCardBody as typeof savedCardBody,
  answer: cardCheckoutResponse as typeof cardCheckoutResponse,
  errors: [402, 404, 409, 412, 423],
  ofTheDocuments: false,
  summary: 'Pays with a saved card',
} as const satisfies Endpoint

export const cardOnFileCheckout = {
  id: 'cardOnFileCheckout',
  ...routes.cardOnFileCheckout,
  headers: {
    required: ['authorization', 'userId'],
    optional: ['wallet', 'blockchain', 'deviceId', 'clientIp'],
  },
  body: cardOnFileBody as typeof cardOnFileBody,
  answer: cardCheckoutResponse as typeof cardCheckoutResponse,
  errors: [402, 410, 412, 423],
  ofTheDocuments: false,
  summary: 'Charges the card of an earlier payment again, while the customer is present',
} as const satisfies Endpoint
