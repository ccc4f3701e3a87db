import { refuseBrowser } from './refuseBrowser.ts'

// Listed in `sideEffects` of package.json, so that bundlers keep this call.
refuseBrowser()

export { InvalidOrderIdError } from '../core/orderId.ts'
export { CallOutcomeUnknownError } from './client/callService.ts'
export type { EndpointId as MerchantCallName } from './client/calls.ts'
export type { MerchantCallAnswer, MerchantCallOptions } from './client/callTypes.ts'
export type { MerchantRequest, MerchantRequestOptions } from './client/requestAny.ts'
export { createMerchantClient, type MerchantClient } from './createMerchantClient.ts'
export { createMerchantHandler } from './createMerchantHandler.ts'
export type { ExposeRule } from './handler/exposedCalls.ts'
export type { MerchantUser } from './handler/readAsked.ts'
export { orderKey } from './orderKey.ts'
export { MerchantCodeInBrowserError } from './refuseBrowser.ts'
export { signDestinationAuthKey } from './signDestinationAuthKey.ts'
export { InvalidWebhookSignatureError, StaleWebhookError, verifyWebhook } from './verifyWebhook.ts'
