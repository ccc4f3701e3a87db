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
    { from, to, amount, muxedId }: { from: string; to: string; amount: bigint; muxedId?: Xdr.Uint64 },
  ) => {
    balances.move(from, -amount)
    balances.move(to, amount)
    // The issuer mints what it sends and burns what it receives.
    if (from === issuer && to !== issuer) emit(context, 'mint', [to], amountData(amount, muxedId))
    else if (to === issuer && from !== issuer) emit(context, 'burn', [from], i128Value(amount))
    else emit(context, 'transfer', [from, to], amountData(amount, muxedId))
  }
  return {
    transfer(context, from, to, value) {
      const [sender, receiver, amount] = [readAddress(from), readReceiver(to), readAmount(value)]
      context.requireAuth(sender)
      move(context, { from: sender, ...receiver, amount })
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

/** An event's amount, with the id of a muxed receiver (CAP-67). */
function amountData(amount: bigint, muxedId: Xdr.Uint64 | undefined): Xdr.ScVal {
  if (muxedId === undefined) return i128Value(amount)
  return xdr.ScVal.scvMap([
    new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol('amount'), val: i128Value(amount) }),
    new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol('to_muxed_id'), val: xdr.ScVal.scvU64(muxedId) }),
  ])
}

function readAddress(value: Xdr.ScVal | undefined): string {
  if (value?.switch().name !== 'scvAddress') throw unexpected('an address')
  return Address.fromScVal(value).toString()
}

/** The receiver of a transfer may be a muxed account (CAP-67). */
function readReceiver(value: Xdr.ScVal | undefined): { to: string; muxedId?: Xdr.Uint64 } {
  if (
    value?.switch().name === 'scvAddress' &&
    value.address().switch().name === 'scAddressTypeMuxedAccount'
  ) {
    const muxed = value.address().muxedAccount()
    return { to: Address.account(muxed.ed25519()).toString(), muxedId: muxed.id() }
  }
  return { to: readAddress(value) }
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
