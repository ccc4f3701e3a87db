import type { TransactionData } from '../../../../src/redeemkit/schema/transactionData.ts'

/** A test page sells it with the shop's components. */
export type Offer = { id: string; cents: number; transactionData: TransactionData }

/** Its page is next to those of the shop. */
export const hrefOfOffer = (offer: Offer): string =>
  `offer.html?offer=${encodeURIComponent(JSON.stringify(offer))}`
