import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { Address, scValToBigInt, xdr } from '../../../../redeemkit/stellar/sdk.ts'
import { type AssetOptions, createAllowances, createBalances, failAsset } from './assetBalances.ts'
import { addressValue, type Contract, type ContractContext, HostError, i128Value } from './contract.ts'

/**
 * Creates the built-in contract of an asset or XLM (CAP-46-6), with the events of protocol 23 (CAP-67). Account balances
 * are trustlines; contract balances are entries of this contract.
 */
export function createAssetContract(options: AssetOptions): Contract {
  const { asset } = options
  const balances = createBalances(options)
  const allowances = createAllowances(options)
  const issuer = asset.isNative() ? undefined : asset.getIssuer()
  const name = asset.isNative() ? 'native' : asset.toString()
  const emit = (context: ContractContext, topic: string, parties: readonly string[], data: Xdr.ScVal) =>
    context.emit([xdr.ScVal.scvSymbol(topic), ...parties.map(addressValue), xdr.ScVal.scvString(name)], data)
  const move = (
    context: ContractContext,
    { from, to, amount }: { from: string; to: string; amount: bigint },
  ) => {
    balances.move(from, -amount)
    balances.move(to, amount)
    // The issuer mints the tokens it sends and burns those it receives.
    if (from === issuer && to !== issuer) emit(context, 'mint', [to], i128Value(amount))
    else if (to === issuer && from !== issuer) emit(context, 'burn', [from], i128Value(amount))
    else emit(context, 'transfer', [from, to], i128Value(amount))
  }
  return {
    transfer(context, from, to, value) {
      const [sender, receiver, amount] = [readAddress(from), readAddress(to), readAmount(value)]
      context.requireAuth(sender)
      move(context, { from: sender, to: receiver, amount })
      return undefined
    },
    transfer_from(context, spender, from, to, value) {
      const parties = { spender: readAddress(spender), from: readAddress(from) }
      const [receiver, amount] = [readAddress(to), readAmount(value)]
      context.requireAuth(parties.spender)
      allowances.spend(parties, amount)
      move(context, { from: parties.from, to: receiver, amount })
      return undefined
    },
    approve(context, from, spender, value, until) {
      const parties = { from: readAddress(from), spender: readAddress(spender) }
      const [amount, liveUntil] = [readAmount(value), readU32(until)]
      context.requireAuth(parties.from)
      allowances.set(parties, { amount, liveUntil })
      const data = xdr.ScVal.scvVec([i128Value(amount), xdr.ScVal.scvU32(liveUntil)])
      emit(context, 'approve', [parties.from, parties.spender], data)
      return undefined
    },
    allowance: (_, from, spender) =>
      i128Value(allowances.of({ from: readAddress(from), spender: readAddress(spender) })),
    balance: (_, id) => i128Value(balances.of(readAddress(id))),
    authorized: (_, id) => xdr.ScVal.scvBool(balances.isAuthorized(readAddress(id))),
    decimals: () => xdr.ScVal.scvU32(7),
    symbol: () => xdr.ScVal.scvString(asset.isNative() ? 'native' : asset.getCode()),
    name: () => xdr.ScVal.scvString(name),
  }
}

function readAddress(value: Xdr.ScVal | undefined): string {
  if (value?.switch().name !== 'scvAddress') throw unexpected('an address')
  return Address.fromScVal(value).toString()
}

function readAmount(value: Xdr.ScVal | undefined): bigint {
  if (value?.switch().name !== 'scvI128') throw unexpected('an i128')
  const amount = scValToBigInt(value)
  return amount < 0n ? failAsset('negativeAmount') : amount
}

function readU32(value: Xdr.ScVal | undefined): number {
  if (value?.switch().name !== 'scvU32') throw unexpected('a u32')
  return value.u32()
}

function unexpected(what: string): HostError {
  return new HostError(`HostError: Error(Value, UnexpectedType): not ${what}`)
}
