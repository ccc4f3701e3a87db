import type { xdr } from '@stellar/stellar-sdk'
import { createHost, type Host } from './createHost.ts'
import { deployContract, uploadWasm } from './deployContract.ts'
import { HostError } from './hostError.ts'
import { invokeFromOutside } from './invokeContract.ts'

/** What one call read, wrote and published. */
export type HostResult = {
  returnValue: xdr.ScVal
  events: xdr.ContractEvent[]
  reads: ReadonlyMap<string, xdr.LedgerKey>
  writes: ReadonlyMap<string, xdr.LedgerKey>
  instructions: number
}

/** What a transaction asks of the host: to call a contract, to take Wasm, or to make a contract of Wasm that it has. */
export type HostFunction =
  | { kind: 'invoke'; contract: string; functionName: string; args: readonly xdr.ScVal[] }
  | { kind: 'upload'; code: Buffer }
  | { kind: 'create'; creation: xdr.CreateContractArgsV2 }

/**
 * Runs a host function on a state, with an authorizer that decides what is authorized.
 *
 * @throws {@link HostError}; the state is then to be dropped
 */
export function runHostFunction(options: runHostFunction.Options): HostResult {
  const host = createHost(options)
  try {
    const returnValue = start(host, options.hostFunction)
    if (host.trap !== undefined) throw host.trap.error
    const { events, footprint, meter } = host
    const instructions = meter.instructions()
    return { returnValue, events, reads: footprint.reads(), writes: footprint.writes(), instructions }
  } catch (error) {
    if (error instanceof HostError) throw error
    throw new HostError(`HostError: Error(WasmVm, InvalidAction): ${String(error)}`, { cause: error })
  }
}

export declare namespace runHostFunction {
  type Options = createHost.Options & { hostFunction: HostFunction }
}

function start(host: Host, hostFunction: HostFunction): xdr.ScVal {
  switch (hostFunction.kind) {
    case 'upload':
      return uploadWasm(host, hostFunction.code)
    case 'create':
      return deployContract(host, hostFunction.creation)
    case 'invoke':
      return invokeFromOutside(host, hostFunction.contract, hostFunction.functionName, hostFunction.args)
  }
}
