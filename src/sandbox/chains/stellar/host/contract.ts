import type { xdr } from '@stellar/stellar-sdk'
import { Address, nativeToScVal } from '../../../../redeemkit/stellar/sdk.ts'

/** What a running contract can do. */
export type ContractContext = {
  /** The contract's own address. */
  self: string
  ledger: { sequence: number; timestamp: number }
  /** Fails unless this address has authorized the running call. */
  requireAuth: (address: string) => void
  /** Calls another contract as this contract. */
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

/** How a value is stored. Default: persistent. */
export type Durability = 'temporary' | 'persistent'

/** A contract function: receives the call's arguments and returns its value. */
type ContractFunction = (context: ContractContext, ...args: xdr.ScVal[]) => xdr.ScVal | undefined

/** A contract: its functions by name. */
export type Contract = Readonly<Record<string, ContractFunction>>

/** An address as a contract value. */
export function addressValue(address: string): xdr.ScVal {
  return Address.fromString(address).toScVal()
}

/** An amount as a contract value. */
export function i128Value(amount: bigint): xdr.ScVal {
  return nativeToScVal(amount, { type: 'i128' })
}

/** A contract call failed. The text has the form of the real host's errors. */
export class HostError extends Error {
  override readonly name = 'HostError'
}
