import { refuseBrowser } from './refuseBrowser.ts'

// Listed in `sideEffects` of package.json, so that bundlers keep this call.
refuseBrowser()

export { InvalidOrderIdError } from '../core/orderId.ts'
export { CallOutcomeUnknownError } from './callService.ts'
export type { EndpointId as MerchantCallName } from './calls.ts'
export type { MerchantCallAnswer, MerchantCallOptions } from './callTypes.ts'
export type { MerchantRequest, MerchantRequestOptions } from './createMerchantClient.ts'
export { createMerchantClient, type MerchantClient } from './createMerchantClient.ts'
export { createMerchantHandler } from './createMerchantHandler.ts'
export type { ExposeRule } from './exposedCalls.ts'
export { orderKey } from './orderKey.ts'
export type { MerchantUser } from './readAsked.ts'
export { MerchantCodeInBrowserError } from './refuseBrowser.ts'
export { signDestinationAuthKey } from './signDestinationAuthKey.ts'
export { InvalidWebhookSignatureError, StaleWebhookError, verifyWebhook } from './verifyWebhook.ts'
