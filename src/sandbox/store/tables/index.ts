export {
  apiKeys,
  authChallenges,
  jobs,
  merchants,
  proceeds,
  programs,
  sellerWithdrawals,
  sessionKeys,
} from './merchants.ts'
export {
  cardChallenges,
  cardsOnFile,
  cardTokens,
  chargebackResponses,
  evidenceFiles,
  paymentMoves,
  payments,
  refunds,
  stellarSettlements,
  wireAccounts,
} from './payments.ts'
export { eventCursors, intents, orderClaims, redeemedEvents, redeems, walletTurns } from './redeems.ts'
export {
  bridgeMessages,
  deployments,
  nonceQueues,
  sandboxClock,
  transactions,
  usdcTransfers,
} from './relayer.ts'
export { subscriptionBillings, subscriptionMoves, subscriptionPlans, subscriptions } from './subscriptions.ts'
export { webhookDeliveries, webhookEvents, webhookListeners, webhookSettings } from './webhooks.ts'
export { bankAccounts, kycRecords, pinnedPlaces, withdrawers, withdrawerWallets } from './withdrawal.ts'
