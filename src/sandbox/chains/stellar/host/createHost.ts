import type { Asset, xdr } from '@stellar/stellar-sdk'
import type { LedgerState } from '../entries/state.ts'
import type { Authorizer, Call } from './authorizer.ts'
import type { Contract } from './contract.ts'
import { createAssetContract } from './createAssetContract.ts'
import { createStorage, type Storage } from './createStorage.ts'
import { type Footprint, recordFootprint } from './recordFootprint.ts'

/** One run of a host function: what it works on, and what it has done so far. */
export type Host = {
  networkPassphrase: string
  ledger: { sequence: number; timestamp: number }
  authorizer: Authorizer
  footprint: Footprint
  storage: Storage
  /** USDC's contract and the declared ones, by address. */
  declared: ReadonlyMap<string, Contract>
  usdcContract: string
  events: xdr.ContractEvent[]
  /** The running calls, outermost first. */
  frames: Call[]
  /** What has failed: nothing goes on after it. */
  trap: { error: unknown } | undefined
}

/** Starts a run. */
export function createHost(options: createHost.Options): Host {
  const { state, usdc, networkPassphrase, authorizer, ledger } = options
  const usdcContract = usdc.contractId(networkPassphrase)
  const footprint = recordFootprint()
  const assetContract = createAssetContract({
    asset: usdc,
    contract: usdcContract,
    state,
    touch: footprint.touch,
  })
  return {
    networkPassphrase,
    ledger,
    authorizer,
    footprint,
    storage: createStorage(state, footprint),
    declared: new Map([...options.contracts, [usdcContract, assetContract]]),
    usdcContract,
    events: [],
    frames: [],
    trap: undefined,
  }
}

export declare namespace createHost {
  type Options = {
    state: LedgerState
    contracts: ReadonlyMap<string, Contract>
    usdc: Asset
    networkPassphrase: string
    authorizer: Authorizer
    ledger: { sequence: number; timestamp: number }
  }
}
