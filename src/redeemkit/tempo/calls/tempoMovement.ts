import type { Address } from 'viem'

/** What a call moves, or lets somebody move later, seen from the account that sends it. */
export type TempoMovement = {
  /** Place of the call in the transaction. */
  call: number
  /** `allowance` moves nothing yet: somebody may, up to the amount. `credits` are a merchant's, in US dollars. */
  what: 'token' | 'allowance' | 'credits'
  /** `in` to the account, `out` of it, `other` between others or to itself. */
  direction: 'in' | 'out' | 'other'
  /** Of the token, or of the credits. */
  contract: Address
  /** Raw units; TIP-20 tokens and credits have 6 decimals. */
  amount: bigint
  from?: Address | undefined
  to?: Address | undefined
}
