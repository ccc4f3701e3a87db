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
export { intents, redeems } from './redeems.ts'
export { bridgeMessages, deployments, lanes, transactions } from './relayer.ts'
export { usdcTransfers } from './transfers.ts'
export { webhookEvents } from './webhooks.ts'
