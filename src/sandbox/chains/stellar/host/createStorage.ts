import { hash, xdr } from '@stellar/stellar-sdk'
import { firstLiveUntil, readContractData, writeContractData } from '../entries/contractData.ts'
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
export function createStorage(state: LedgerState, sequence: number, { touch }: Footprint): Storage {
  const instanceOf: Storage['instanceOf'] = (contract) => {
    return readContractData(state, instanceLedgerKey(contract), sequence)?.instance()
  }
  const writeInstance = (contract: string, instance: xdr.ScContractInstance) => {
    const key = instanceLedgerKey(contract)
    touch(key, true)
    writeContractData(state, key, xdr.ScVal.scvContractInstance(instance), { sequence })
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
      return readContractData(state, ledgerKey, sequence)
    },
    set(contract, key, value, durability = 'persistent') {
      if (durability !== 'instance') {
        const ledgerKey = contractDataLedgerKey(contract, key, durability)
        touch(ledgerKey, true)
        writeContractData(state, ledgerKey, value, { sequence })
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
      const key = codeLedgerKey(wasmHash)
      const name = key.toXDR('base64')
      touch(key, true)
      if (!state.liveUntil.has(name)) state.liveUntil.set(name, firstLiveUntil(key, sequence))
      state.code.set(wasmHash.toString('hex'), code.toString('hex'))
      return wasmHash
    },
  }
}

function isSame(a: xdr.ScVal, b: xdr.ScVal): boolean {
  return a.toXDR('base64') === b.toXDR('base64')
}
