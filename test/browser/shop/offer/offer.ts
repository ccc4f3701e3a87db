import type { TransactionData } from '../../../../src/redeemkit/schema/transactionData.ts'

export type Offer = { id: string; cents: number; transactionData: TransactionData }

export const hrefOfOffer = (offer: Offer): string =>
  `offer.html?offer=${encodeURIComponent(JSON.stringify(offer))}`
