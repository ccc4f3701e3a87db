import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { Address, Asset, xdr } from '../../../../redeemkit/stellar/sdk.ts'
import { createAssetContract } from './assetContract.ts'
import type { Authorizer, Call } from './authorizer.ts'
import { addressValue, type Contract, type ContractContext, HostError, i128Value } from './contract.ts'
import {
  contractDataLedgerKey,
  instanceLedgerKey,
  type LedgerState,
  readContractData,
  writeContractData,
} from './state.ts'

type Host = {
  ledger: { sequence: number; timestamp: number }
  authorizer: Authorizer
  footprint: Footprint
  state: LedgerState
  contracts: ReadonlyMap<string, Contract>
  usdcContract: string
  events: Xdr.ContractEvent[]
  /** Outermost first. */
  frames: Call[]
  /** The first failure, which ends the whole call. */
  trap: { error: unknown } | undefined
}

export type HostResult = {
  returnValue: Xdr.ScVal
  events: Xdr.ContractEvent[]
  reads: ReadonlyMap<string, Xdr.LedgerKey>
  writes: ReadonlyMap<string, Xdr.LedgerKey>
}

export type ContractCall = { contract: string; functionName: string; args: readonly Xdr.ScVal[] }

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
    state,
    contracts: new Map([...options.contracts, ...assets]),
    usdcContract: usdc.contractId(networkPassphrase),
    events: [],
    frames: [],
    trap: undefined,
  }
}

const maxDepth = 20

function invokeContract(
  host: Host,
  contract: string,
  functionName: string,
  args: readonly Xdr.ScVal[],
): Xdr.ScVal {
  const { frames, authorizer } = host
  if (frames.length >= maxDepth || frames.some((frame) => frame.contract === contract))
    throw new HostError('HostError: Error(Context, InvalidAction): contract re-entry is not allowed')
  host.footprint.touch(instanceLedgerKey(contract), false)
  const functions = host.contracts.get(contract)
  if (functions === undefined)
    throw new HostError(`HostError: Error(Storage, MissingValue): no contract ${contract}`)
  const target = Object.hasOwn(functions, functionName) ? functions[functionName] : undefined
  if (target === undefined)
    throw new HostError(`HostError: Error(WasmVm, MissingValue): no function ${functionName}`)
  frames.push({ contract, functionName, args: args.map((arg) => arg.toXDR('base64')) })
  authorizer.enter()
  const returned = target(contextOf(host, contract), ...args) ?? xdr.ScVal.scvVoid()
  authorizer.leave()
  frames.pop()
  return returned
}

/** Calls a contract for a transaction or another contract. Names with two leading underscores are reserved for the host. */
function invokeFromOutside(
  host: Host,
  contract: string,
  functionName: string,
  args: readonly Xdr.ScVal[],
): Xdr.ScVal {
  if (functionName.startsWith('__'))
    throw new HostError(`HostError: Error(Context, InvalidAction): ${functionName} is reserved`)
  return invokeContract(host, contract, functionName, args)
}

function contextOf(host: Host, contract: string): ContractContext {
  const { footprint, ledger, state } = host
  const { sequence } = ledger
  /** A failure ends the whole call even if the calling contract catches the error, because contracts cannot catch a trap. */
  const trapping =
    <args extends unknown[], result>(work: (...args: args) => result) =>
    (...args: args): result => {
      if (host.trap !== undefined) throw host.trap.error
      try {
        return work(...args)
      } catch (error) {
        host.trap = { error }
        throw error
      }
    }
  return {
    self: contract,
    ledger,
    requireAuth: trapping((address) => requireAuth(host, address)),
    call: trapping((other, functionName, args) => invokeFromOutside(host, other, functionName, args)),
    transferUsdc: trapping((from, to, amount) => {
      const args = [addressValue(from), addressValue(to), i128Value(amount)]
      invokeContract(host, host.usdcContract, 'transfer', args)
    }),
    get: trapping((key) => {
      const ledgerKey = contractDataLedgerKey(contract, key)
      footprint.touch(ledgerKey, false)
      return readContractData(state, ledgerKey, sequence)
    }),
    set: trapping((key, value) => {
      const ledgerKey = contractDataLedgerKey(contract, key)
      footprint.touch(ledgerKey, true)
      writeContractData(state, ledgerKey, value, { sequence })
    }),
    emit: trapping((topics, data) => {
      host.events.push(contractEvent(contract, topics, data))
    }),
    fail: trapping((code) => {
      throw new HostError(`HostError: Error(Contract, #${code})`)
    }),
  }
}

/** A contract authorizes the calls it makes itself. */
function requireAuth(host: Host, address: string): void {
  if (host.frames.at(-2)?.contract === address) return
  for (const nonce of host.authorizer.require(address, host.frames)) host.footprint.touch(nonce, true)
}

function contractEvent(contract: string, topics: readonly Xdr.ScVal[], data: Xdr.ScVal): Xdr.ContractEvent {
  return new xdr.ContractEvent({
    ext: new xdr.ExtensionPoint(0),
    contractId: Address.fromString(contract).toScAddress().contractId(),
    type: xdr.ContractEventType.contract(),
    body: new xdr.ContractEventBody(0, new xdr.ContractEventV0({ topics: [...topics], data })),
  })
}

/** Records the ledger entries a call reads and writes, by base64 XDR of their keys. */
type Footprint = {
  touch: (key: Xdr.LedgerKey, isWrite: boolean) => void
  /** Entries that were read but not written. */
  reads: () => ReadonlyMap<string, Xdr.LedgerKey>
  writes: () => ReadonlyMap<string, Xdr.LedgerKey>
}

function recordFootprint(): Footprint {
  const reads = new Map<string, Xdr.LedgerKey>()
  const writes = new Map<string, Xdr.LedgerKey>()
  return {
    touch: (key, isWrite) => (isWrite ? writes : reads).set(key.toXDR('base64'), key),
    reads: () => new Map([...reads].filter(([name]) => !writes.has(name))),
    writes: () => writes,
  }
}
