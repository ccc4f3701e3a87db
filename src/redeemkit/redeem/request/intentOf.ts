import { type RedeemIntent, redeemIntent } from '../../evm/creditPermit/redeemIntent.ts'
import type { RedeemTerms } from '../preparedRedeem.ts'

/** Computes amounts and nonce of terms (PROTOCOL.md 4). */
export function intentOf(terms: RedeemTerms): RedeemIntent {
  return redeemIntent({ ...terms, intentBound: terms.pinned.intentBound })
}

export declare namespace intentOf {
  type ErrorType = redeemIntent.ErrorType
}
