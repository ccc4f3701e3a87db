/** What credits are sold in. The page names a pack; the shop's server knows its price. */
export const creditPacks = [
  { id: 'dusk', cents: 1000, note: 'A Paper Ghost and change' },
  { id: 'evening', cents: 2500, note: 'A Moon Ferry' },
  { id: 'night', cents: 6000, note: 'An Ember Widow and company' },
] as const

export type CreditPack = (typeof creditPacks)[number]
