import * as checkout from './checkout.ts'
import * as customer from './customer.ts'
import * as merchant from './merchant.ts'

type CallsOf<module> = module[keyof module]

/** Every endpoint of PROTOCOL.md 2.1 under `/api`, in the order of PROTOCOL.md. */
export const endpoints: readonly CallsOf<typeof checkout & typeof customer & typeof merchant>[] = [
  customer.getAuthMessage,
  customer.verifyAuth,
  customer.getSessionKey,
  customer.creditsAuthMsg,
  customer.sendGaslessTx,
  checkout.createCheckoutJwt,
  checkout.tokenizeCard,
  checkout.cardCheckout,
  checkout.wireTokenCheckout,
  checkout.pixCheckout,
  checkout.mobileAppCheckout,
  checkout.voidPayment,
  checkout.merchantInitiatedTransaction,
  checkout.usdcAuthorization,
  checkout.getTotals,
  checkout.zeroAuthorization,
  checkout.savedCardCheckout,
  checkout.cardOnFileCheckout,
  customer.getBalances,
  customer.getSavedCards,
  customer.getPurchases,
  customer.getPlans,
  customer.getCustomerSubscriptions,
  customer.purchaseSubscription,
  customer.getPlanSubscribers,
  merchant.getPayment,
  merchant.mintCredits,
  merchant.burnCredits,
  merchant.getJobStatus,
  merchant.requestWhitelist,
  merchant.respondToChargeback,
  merchant.refundPayment,
  merchant.getRefunds,
  merchant.withdrawUsdc,
  merchant.validateKyc,
  merchant.createIban,
  merchant.registerBusiness,
  customer.getContractAddress,
]
