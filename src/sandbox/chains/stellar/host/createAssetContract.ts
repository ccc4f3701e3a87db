import { Address, type Asset, nativeToScVal, scValToBigInt, scValToNative, xdr } from '@stellar/stellar-sdk'
import { accountLedgerKey, contractDataLedgerKey, trustlineLedgerKey } from '../entries/ledgerKeys.ts'
import { type LedgerState, trustlineKey } from '../entries/state.ts'
import type { Contract } from './contract.ts'
import { addressValue, i128Value } from './contractValues.ts'
import { HostError } from './hostError.ts'
import type { Footprint } from './recordFootprint.ts'

/**
 * The contract of an asset, as the network has one built in for each (CAP-46-6): balances of accounts are their trustlines,
 * balances of contracts its own entries.
 */
export function createAssetContract(options: {
  asset: Asset
  contract: string
  state: LedgerState
  touch: Footprint['touch']
}): Contract {
  const { contract, state, touch } = options
  const asset = options.asset.toString()
  const fail = (code: number): never => {
    throw new HostError(`HostError: Error(Contract, #${code})`)
  }
  const balanceKey = (holder: string) =>
    contractDataLedgerKey(contract, xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Balance'), addressValue(holder)]))
  const balanceOf = (address: string): bigint => {
    if (address.startsWith('C')) {
      const key = balanceKey(address)
      touch(key, false)
      const stored = state.contractData.get(key.toXDR('base64'))
      const amount = stored === undefined ? 0n : scValToNative(xdr.ScVal.fromXDR(stored, 'base64')).amount
      return BigInt(amount)
    }
    touch(trustlineLedgerKey(address, asset), false)
    return state.trustlines.get(trustlineKey(address, asset))?.balance ?? fail(13)
  }
  const move = (address: string, amount: bigint) => {
    // The issuer has no balance: what it sends is made, what it gets is gone.
    if (address === options.asset.getIssuer()) return
    if (address.startsWith('C')) {
      const key = balanceKey(address)
      touch(key, true)
      const balance = balanceOf(address) + amount
      if (balance < 0n) fail(10)
      const value = nativeToScVal(
        { amount: balance, authorized: true, clawback: false },
        { type: { amount: ['symbol', 'i128'], authorized: ['symbol'], clawback: ['symbol'] } },
      )
      state.contractData.set(key.toXDR('base64'), value.toXDR('base64'))
      return
    }
    if (!state.accounts.has(address)) {
      touch(accountLedgerKey(address), false)
      fail(6)
    }
    touch(trustlineLedgerKey(address, asset), true)
    const line = state.trustlines.get(trustlineKey(address, asset)) ?? fail(13)
    if (!line.authorized) fail(11)
    const balance = line.balance + amount
    if (balance < 0n || balance > line.limit) fail(10)
    line.balance = balance
  }
  return {
    transfer(context, from, to, value) {
      const [sender, receiver] = [readAddress(from), readAddress(to)]
      const amount = readAmount(value)
      if (amount < 0n) fail(8)
      context.requireAuth(sender)
      move(sender, -amount)
      move(receiver, amount)
      const names = [addressValue(sender), addressValue(receiver), xdr.ScVal.scvString(asset)]
      context.emit([xdr.ScVal.scvSymbol('transfer'), ...names], i128Value(amount))
      return undefined
    },
    balance: (_, id) => i128Value(balanceOf(readAddress(id))),
    decimals: () => xdr.ScVal.scvU32(7),
    symbol: () => xdr.ScVal.scvString(options.asset.getCode()),
    name: () => xdr.ScVal.scvString(asset),
  }
}

function readAddress(value: xdr.ScVal | undefined): string {
  if (value?.switch().name !== 'scvAddress')
    throw new HostError('HostError: Error(Value, UnexpectedType): not an address')
  return Address.fromScVal(value).toString()
}

function readAmount(value: xdr.ScVal | undefined): bigint {
  if (value?.switch().name !== 'scvI128')
    throw new HostError('HostError: Error(Value, UnexpectedType): not an i128')
  return scValToBigInt(value)
}
