import { Asset, type xdr } from '@stellar/stellar-sdk'
import type { LedgerState } from '../entries/state.ts'
import type { Authorizer, Call } from './authorizer.ts'
import { type Contract, HostError } from './contract.ts'
import { createAssetContract } from './createAssetContract.ts'
import { createStorage, type Footprint, recordFootprint, type Storage } from './createStorage.ts'
import { invokeFromOutside } from './invokeContract.ts'

/** The state of one running call. */
export type Host = {
  ledger: { sequence: number; timestamp: number }
  authorizer: Authorizer
  footprint: Footprint
  storage: Storage
  /** The contracts of USDC and XLM and the declared ones, by address. */
  contracts: ReadonlyMap<string, Contract>
  usdcContract: string
  events: xdr.ContractEvent[]
  /** The running calls, outermost first. */
  frames: Call[]
  /** The first failure; it ends the whole call. */
  trap: { error: unknown } | undefined
}

/** What a call read, wrote, returned and published. */
export type HostResult = {
  returnValue: xdr.ScVal
  events: xdr.ContractEvent[]
  reads: ReadonlyMap<string, xdr.LedgerKey>
  writes: ReadonlyMap<string, xdr.LedgerKey>
}

/** The contract call of a transaction. */
export type ContractCall = { contract: string; functionName: string; args: readonly xdr.ScVal[] }

/**
 * Runs a contract call on a state.
 *
 * @throws {@link HostError}; discard the state then
 */
export function runHostFunction(options: runHostFunction.Options): HostResult {
  const { contract, functionName, args } = options.call
  const host = createHost(options)
  try {
    const returnValue = invokeFromOutside(host, contract, functionName, args)
    if (host.trap !== undefined) throw host.trap.error
    const { events, footprint } = host
    return { returnValue, events, reads: footprint.reads(), writes: footprint.writes() }
  } catch (error) {
    if (error instanceof HostError) throw error
    throw new HostError(`HostError: Error(WasmVm, InvalidAction): ${String(error)}`, { cause: error })
  }
}

export declare namespace runHostFunction {
  type Options = {
    call: ContractCall
    state: LedgerState
    contracts: ReadonlyMap<string, Contract>
    usdc: Asset
    networkPassphrase: string
    authorizer: Authorizer
    ledger: { sequence: number; timestamp: number }
  }
}

function createHost(options: runHostFunction.Options): Host {
  const { state, usdc, networkPassphrase, authorizer, ledger } = options
  const footprint = recordFootprint()
  const { sequence } = ledger
  const assets = [usdc, Asset.native()].map((asset): [string, Contract] => {
    const contract = asset.contractId(networkPassphrase)
    return [contract, createAssetContract({ asset, contract, state, sequence, touch: footprint.touch })]
  })
  return {
    ledger,
    authorizer,
    footprint,
    storage: createStorage(state, sequence, footprint),
    contracts: new Map([...options.contracts, ...assets]),
    usdcContract: usdc.contractId(networkPassphrase),
    events: [],
    frames: [],
    trap: undefined,
  }
}
