export { authChallenges, sessionKeys } from './auth.ts'
export { cardChallenges, cardsOnFile, cardTokens } from './cards.ts'
export { sandboxClock } from './clock.ts'
export { jobs } from './jobs.ts'
export { apiKeys, merchants, programs } from './merchants.ts'
export {
  chargebackResponses,
  evidenceFiles,
  paymentMoves,
  payments,
  refunds,
  wireAccounts,
} from './payments.ts'
export { eventCursors, intents, orderClaims, redeemedEvents, redeems, walletTurns } from './redeems.ts'
export { bridgeMessages, deployments, lanes, transactions } from './relayer.ts'
export { proceeds, sellerWithdrawals } from './seller.ts'
export { stellarSettlements } from './settlements.ts'
export { subscriptionBillings, subscriptionMoves, subscriptionPlans, subscriptions } from './subscriptions.ts'
export { usdcTransfers } from './transfers.ts'
export { webhookDeliveries, webhookEvents, webhookListeners, webhookSettings } from './webhooks.ts'
export { bankAccounts, kycRecords, pinnedPlaces, withdrawers, withdrawerWallets } from './withdrawal.ts'
