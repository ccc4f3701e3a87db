import { Address, type Asset, hash, nativeToScVal, xdr } from '@stellar/stellar-sdk'
import type { Authorizer, Call } from './authorizer.ts'
import type { Contract, ContractContext } from './contract.ts'
import { createAssetContract } from './createAssetContract.ts'
import { HostError } from './hostError.ts'
import { contractDataLedgerKey } from './ledgerEntries.ts'
import type { LedgerState } from './state.ts'

/** The contracts that a ledger knows. */
export type ContractTable = ReadonlyMap<string, Contract>

/** What one call read, wrote and published. */
export type HostResult = {
  returnValue: xdr.ScVal
  events: xdr.ContractEvent[]
  reads: ReadonlyMap<string, xdr.LedgerKey>
  writes: ReadonlyMap<string, xdr.LedgerKey>
}

const maxDepth = 20

/**
 * Runs a contract call on a state, with an authorizer that decides what is authorized.
 *
 * @throws {@link HostError}; the state is then to be dropped
 */
export function invokeContract(options: invokeContract.Options): HostResult {
  const { state, contracts, authorizer, ledger } = options
  const usdcContract = options.usdc.contractId(options.networkPassphrase)
  const reads = new Map<string, xdr.LedgerKey>()
  const writes = new Map<string, xdr.LedgerKey>()
  const events: xdr.ContractEvent[] = []
  const frames: Call[] = []

  const touch = (key: xdr.LedgerKey, isWrite: boolean) => {
    ;(isWrite ? writes : reads).set(key.toXDR('base64'), key)
  }
  const emit = (contract: string, topics: readonly xdr.ScVal[], data: xdr.ScVal) => {
    events.push(
      new xdr.ContractEvent({
        ext: new xdr.ExtensionPoint(0),
        // The event's contract id has the layout of the address' hash.
        contractId: Address.fromString(contract).toScAddress().contractId(),
        type: xdr.ContractEventType.contract(),
        body: new xdr.ContractEventBody(0, new xdr.ContractEventV0({ topics: [...topics], data })),
      }),
    )
  }
  const requireAuth = (address: string) => {
    const caller = frames.at(-2)
    if (caller?.contract === address) return
    for (const nonce of authorizer.require(address, frames)) touch(nonce, true)
  }
  const fail = (code: number): never => {
    throw new HostError(`HostError: Error(Contract, #${code})`)
  }

  const assetContract = createAssetContract({ asset: options.usdc, contract: usdcContract, state, touch })

  const run = (contract: string, functionName: string, args: readonly xdr.ScVal[]): xdr.ScVal => {
    if (frames.length >= maxDepth || frames.some((frame) => frame.contract === contract))
      throw new HostError('HostError: Error(Context, InvalidAction): contract re-entry is not allowed')
    touch(contractDataLedgerKey(contract, xdr.ScVal.scvLedgerKeyContractInstance()), false)
    const functions = contract === usdcContract ? assetContract : contracts.get(contract)
    if (functions === undefined)
      throw new HostError(`HostError: Error(Storage, MissingValue): no contract ${contract}`)
    const target = Object.hasOwn(functions, functionName) ? functions[functionName] : undefined
    if (target === undefined)
      throw new HostError(`HostError: Error(WasmVm, MissingValue): no function ${functionName}`)
    frames.push({ contract, functionName, args: args.map((arg) => arg.toXDR('base64')) })
    authorizer.enter()
    const stored = (key: xdr.ScVal, isWrite: boolean) => {
      const ledgerKey = contractDataLedgerKey(contract, key)
      touch(ledgerKey, isWrite)
      return ledgerKey.toXDR('base64')
    }
    const context: ContractContext = {
      self: contract,
      ledger,
      requireAuth,
      call: run,
      transferUsdc: (from, to, amount) => {
        run(usdcContract, 'transfer', [addressValue(from), addressValue(to), i128(amount)])
      },
      get: (key) => {
        const value = state.contractData.get(stored(key, false))
        return value === undefined ? undefined : xdr.ScVal.fromXDR(value, 'base64')
      },
      set: (key, value) => {
        state.contractData.set(stored(key, true), value.toXDR('base64'))
      },
      emit: (topics, data) => emit(contract, topics, data),
      fail,
    }
    const returned = target(context, ...args) ?? xdr.ScVal.scvVoid()
    authorizer.leave()
    frames.pop()
    return returned
  }

  let returnValue: xdr.ScVal
  try {
    const { contract, functionName, args } = options.call
    returnValue = run(contract, functionName, args)
  } catch (error) {
    if (error instanceof HostError) throw error
    throw new HostError(`HostError: Error(WasmVm, InvalidAction): ${String(error)}`, { cause: error })
  }
  for (const key of writes.keys()) reads.delete(key)
  return { returnValue, events, reads, writes }
}

export declare namespace invokeContract {
  type Options = {
    state: LedgerState
    contracts: ContractTable
    usdc: Asset
    networkPassphrase: string
    authorizer: Authorizer
    ledger: { sequence: number; timestamp: number }
    call: { contract: string; functionName: string; args: readonly xdr.ScVal[] }
  }
}

/** The instance entry of a contract, made up: there is no Wasm here. */
export function contractInstance(contract: string, isAsset: boolean): xdr.ScVal {
  return xdr.ScVal.scvContractInstance(
    new xdr.ScContractInstance({
      executable: isAsset
        ? xdr.ContractExecutable.contractExecutableStellarAsset()
        : xdr.ContractExecutable.contractExecutableWasm(hash(Buffer.from(`simulated ${contract}`))),
      storage: null,
    }),
  )
}

function addressValue(address: string): xdr.ScVal {
  return Address.fromString(address).toScVal()
}

function i128(amount: bigint): xdr.ScVal {
  return nativeToScVal(amount, { type: 'i128' })
}
