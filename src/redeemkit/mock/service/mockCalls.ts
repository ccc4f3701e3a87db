/** The calls that a mock answers: what a page asks of the service, and of the merchant's own server (`createMerchantHandler`). */
export const mockCalls = [
  'getAuthMessage',
  'verifyAuth',
  'getSessionKey',
  'creditsAuthMsg',
  'sendGaslessTx',
  'getBalances',
  'getContractAddress',
  'usdcAuthorization',
  'getTotals',
  'cardCheckout',
  'savedCardCheckout',
  'zeroAuthorization',
  'wireTokenCheckout',
  'pixCheckout',
  'mobileAppCheckout',
  'getSavedCards',
  'getPurchases',
  'getPlans',
  'purchaseSubscription',
] as const

/** The name of a call, as in `endpoints` of `redeemkit/schema`. */
export type MockCall = (typeof mockCalls)[number]
