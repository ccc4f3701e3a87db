import type { TransactionData } from '../../../../src/redeemkit/schema/transactionData.ts'

/** Something that a page of the tests sells by the shop's components. */
export type Offer = { id: string; cents: number; transactionData: TransactionData }

/** Its page, beside those of the shop. */
export const hrefOfOffer = (offer: Offer): string =>
  `offer.html?offer=${encodeURIComponent(JSON.stringify(offer))}`
