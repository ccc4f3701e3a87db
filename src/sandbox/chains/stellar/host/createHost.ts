import { Asset, type xdr } from '@stellar/stellar-sdk'
import type { LedgerState } from '../entries/state.ts'
import { createAssetContract } from './assetContract/createAssetContract.ts'
import type { Authorizer, Call } from './authorizer.ts'
import type { Contract } from './contract.ts'
import { createMeter, type Meter } from './createMeter.ts'
import { createStorage, type Storage } from './createStorage.ts'
import { type Footprint, recordFootprint } from './recordFootprint.ts'

/** One run of a host function: what it works on, and what it has done so far. */
export type Host = {
  networkPassphrase: string
  ledger: { sequence: number; timestamp: number }
  authorizer: Authorizer
  footprint: Footprint
  meter: Meter
  storage: Storage
  /** The contracts of USDC and XLM and the declared ones, by address. */
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
  const meter = options.meter ?? createMeter(Number.POSITIVE_INFINITY)
  const footprint = recordFootprint(meter)
  const { sequence } = ledger
  const assets = [usdc, Asset.native()].map((asset): [string, Contract] => {
    const contract = asset.contractId(networkPassphrase)
    return [contract, createAssetContract({ asset, contract, state, sequence, touch: footprint.touch })]
  })
  return {
    networkPassphrase,
    ledger,
    authorizer,
    footprint,
    meter,
    storage: createStorage(state, sequence, footprint),
    declared: new Map([...options.contracts, ...assets]),
    usdcContract: usdc.contractId(networkPassphrase),
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
    /** Default: one without a limit. */
    meter?: Meter | undefined
  }
}
