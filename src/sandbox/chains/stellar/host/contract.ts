import type { xdr } from '@stellar/stellar-sdk'

/** What a running contract can do, be it written in TypeScript or compiled to Wasm. */
export type ContractContext = {
  /** The contract's own address. */
  self: string
  ledger: { sequence: number; timestamp: number }
  /** Fails unless this address has authorized the running call. */
  requireAuth: (address: string) => void
  /** Calls another contract, as this one. */
  call: (contract: string, functionName: string, args: readonly xdr.ScVal[]) => xdr.ScVal
  /** Moves USDC through its asset contract. Raw units of 7 decimals. */
  transferUsdc: (from: string, to: string, amount: bigint) => void
  get: (key: xdr.ScVal, durability?: Durability) => xdr.ScVal | undefined
  set: (key: xdr.ScVal, value: xdr.ScVal, durability?: Durability) => void
  /** Publishes an event. */
  emit: (topics: readonly xdr.ScVal[], data: xdr.ScVal) => void
  /** Fails the whole call with an error number of the contract. */
  fail: (code: number) => never
}

/** Where a value is kept. `instance`: inside the contract's own entry. Default: persistent. */
export type Durability = 'temporary' | 'persistent' | 'instance'

/** A contract function: takes the arguments of the call, returns its value. */
type ContractFunction = (context: ContractContext, ...args: xdr.ScVal[]) => xdr.ScVal | undefined

/** A contract: its functions by name. */
export type Contract = Readonly<Record<string, ContractFunction>>
