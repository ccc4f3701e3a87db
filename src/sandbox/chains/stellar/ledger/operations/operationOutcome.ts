import { xdr } from '@stellar/stellar-sdk'
import type { AccountState, LedgerState } from '../../entries/state.ts'

/** What one operation came to. */
export type OperationOutcome = { ok: boolean; result: xdr.OperationResult }

/** What an operation works on. */
export type OperationContext = {
  state: LedgerState
  source: AccountState
  /** The ledger that closes, and when, in unix seconds. */
  sequence: number
  closedAt: number
  /** Who keeps the reserves of an account's new entries, while this transaction has it so (CAP-33). */
  sponsorships: Map<string, string>
}

/** The outcome of an operation that the ledger knows. */
export function outcomeOf(result: xdr.OperationResultTr, ok: boolean): OperationOutcome {
  return { ok, result: xdr.OperationResult.opInner(result) }
}

/** The outcome of an operation that the ledger does not know. */
export function notSupported(): OperationOutcome {
  return { ok: false, result: xdr.OperationResult.opNotSupported() }
}
