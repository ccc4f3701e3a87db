import type { Asset } from '@stellar/stellar-sdk'
import type { LedgerState } from '../../entries/state.ts'
import { HostError } from '../hostError.ts'
import type { Footprint } from '../recordFootprint.ts'

/** What the contract of an asset works on. */
export type AssetOptions = {
  asset: Asset
  /** Its address, `C…`. */
  contract: string
  state: LedgerState
  /** The ledger that it runs in. */
  sequence: number
  touch: Footprint['touch']
}

/** The errors of the contract, by number (`contract_error.rs` of Stellar's rs-soroban-env). */
export const assetErrors = {
  operationNotSupported: 2,
  accountMissing: 6,
  negativeAmount: 8,
  allowance: 9,
  balance: 10,
  deauthorized: 11,
  overflow: 12,
  trustlineMissing: 13,
}

/** @throws HostError with the contract's number */
export function failAsset(error: keyof typeof assetErrors): never {
  throw new HostError(`HostError: Error(Contract, #${assetErrors[error]})`)
}
