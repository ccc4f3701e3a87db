import type { xdr } from '@stellar/stellar-sdk'
import { Address, nativeToScVal } from '../../../../redeemkit/stellar/sdk.ts'

export type ContractContext = {
  self: string
  ledger: { sequence: number; timestamp: number }
  requireAuth: (address: string) => void
  call: (contract: string, functionName: string, args: readonly xdr.ScVal[]) => xdr.ScVal
  /** Raw units of 7 decimals. */
  transferUsdc: (from: string, to: string, amount: bigint) => void
  get: (key: xdr.ScVal) => xdr.ScVal | undefined
  set: (key: xdr.ScVal, value: xdr.ScVal) => void
  emit: (topics: readonly xdr.ScVal[], data: xdr.ScVal) => void
  /** Fails the whole call with an error number of the contract. */
  fail: (code: number) => never
}

type ContractFunction = (context: ContractContext, ...args: xdr.ScVal[]) => xdr.ScVal | undefined

export type Contract = Readonly<Record<string, ContractFunction>>

export function addressValue(address: string): xdr.ScVal {
  return Address.fromString(address).toScVal()
}

export function i128Value(amount: bigint): xdr.ScVal {
  return nativeToScVal(amount, { type: 'i128' })
}

/** The text has the form of the real host's errors. */
export class HostError extends Error {
  override readonly name = 'HostError'
}
