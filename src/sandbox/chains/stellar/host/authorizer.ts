import type { xdr } from '@stellar/stellar-sdk'

/** A running call. The creation of a contract is one, too: without a contract, its only argument the `CreateContractArgsV2`. */
export type Call = { contract: string; functionName: string; args: readonly string[] }

/** Decides whether an address has authorized the running call. */
export type Authorizer = {
  enter: () => void
  leave: () => void
  /** @returns the ledger keys of the nonces that this used up */
  require: (address: string, frames: readonly Call[]) => readonly xdr.LedgerKey[]
  /** The entries that were needed (recording) or given (enforcing). */
  entries: () => xdr.SorobanAuthorizationEntry[]
}
