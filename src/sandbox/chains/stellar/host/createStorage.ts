import { hash, xdr } from '@stellar/stellar-sdk'
import { codeLedgerKey, contractDataLedgerKey, instanceLedgerKey } from '../entries/ledgerKeys.ts'
import type { LedgerState } from '../entries/state.ts'
import type { ContractContext } from './contract.ts'
import { HostError } from './hostError.ts'
import type { Footprint } from './recordFootprint.ts'

type WithContract<method extends (...args: never[]) => unknown> = (
  contract: string,
  ...args: Parameters<method>
) => ReturnType<method>

/** What contracts keep: values, instances, code. What it touches goes into the footprint. */
export type Storage = {
  get: WithContract<ContractContext['get']>
  set: WithContract<ContractContext['set']>
  /** The instance of a contract that was created from Wasm. */
  instanceOf: (contract: string) => xdr.ScContractInstance | undefined
  createInstance: (contract: string, executable: xdr.ContractExecutable) => void
  readCode: (wasmHash: Buffer) => Buffer<ArrayBuffer>
  /** @returns the hash of the code */
  writeCode: (code: Buffer) => Buffer
}

/** The storage of contracts on a state. */
export function createStorage(state: LedgerState, { touch }: Footprint): Storage {
  const instanceOf: Storage['instanceOf'] = (contract) => {
    const stored = state.contractData.get(instanceLedgerKey(contract).toXDR('base64'))
    return stored === undefined ? undefined : xdr.ScVal.fromXDR(stored, 'base64').instance()
  }
  const writeInstance = (contract: string, instance: xdr.ScContractInstance) => {
    const key = instanceLedgerKey(contract)
    touch(key, true)
    state.contractData.set(key.toXDR('base64'), xdr.ScVal.scvContractInstance(instance).toXDR('base64'))
  }
  return {
    instanceOf,
    get(contract, key, durability = 'persistent') {
      if (durability === 'instance')
        return instanceOf(contract)
          ?.storage()
          ?.find((entry) => isSame(entry.key(), key))
          ?.val()
      const ledgerKey = contractDataLedgerKey(contract, key, durability)
      touch(ledgerKey, false)
      const value = state.contractData.get(ledgerKey.toXDR('base64'))
      return value === undefined ? undefined : xdr.ScVal.fromXDR(value, 'base64')
    },
    set(contract, key, value, durability = 'persistent') {
      if (durability !== 'instance') {
        const ledgerKey = contractDataLedgerKey(contract, key, durability)
        touch(ledgerKey, true)
        state.contractData.set(ledgerKey.toXDR('base64'), value.toXDR('base64'))
        return
      }
      const instance = instanceOf(contract)
      if (instance === undefined)
        throw new HostError(
          'HostError: Error(Storage, MissingValue): a declared contract has no instance entry',
        )
      const others = (instance.storage() ?? []).filter((entry) => !isSame(entry.key(), key))
      instance.storage(xdr.scvSortedMap([...others, new xdr.ScMapEntry({ key, val: value })]).map())
      writeInstance(contract, instance)
    },
    createInstance: (contract, executable) =>
      writeInstance(contract, new xdr.ScContractInstance({ executable, storage: null })),
    readCode(wasmHash) {
      touch(codeLedgerKey(wasmHash), false)
      const code = state.code.get(wasmHash.toString('hex'))
      if (code === undefined)
        throw new HostError('HostError: Error(Storage, MissingValue): no Wasm with this hash')
      return Buffer.from(code, 'hex')
    },
    writeCode(code) {
      const wasmHash = hash(code)
      touch(codeLedgerKey(wasmHash), true)
      state.code.set(wasmHash.toString('hex'), code.toString('hex'))
      return wasmHash
    },
  }
}

function isSame(a: xdr.ScVal, b: xdr.ScVal): boolean {
  return a.toXDR('base64') === b.toXDR('base64')
}
