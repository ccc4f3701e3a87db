import type { Asset, xdr as Xdr } from '@stellar/stellar-sdk'
import {
  Address,
  nativeToScVal,
  scValToBigInt,
  scValToNative,
  xdr,
} from '../../../../redeemkit/stellar/sdk.ts'
import { addressValue, type Contract, type ContractContext, HostError, i128Value } from './contract.ts'
import {
  type AccountState,
  accountLedgerKey,
  contractDataLedgerKey,
  type LedgerState,
  maxEntryTtl,
  minimumBalance,
  readContractData,
  type TrustlineState,
  trustlineKey,
  trustlineLedgerKey,
  writeContractData,
} from './state.ts'

type AssetOptions = {
  asset: Asset
  /** The asset contract's address, `C…`. */
  contract: string
  state: LedgerState
  sequence: number
  /** Records an entry of the footprint. */
  touch: (key: Xdr.LedgerKey, isWrite: boolean) => void
}

/**
 * Creates the built-in contract of an asset or XLM (CAP-46-6), with the events of protocol 23 (CAP-67). Account balances are trustlines;
 * contract balances are entries of this contract.
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

/** The asset contract's error numbers (`contract_error.rs` of Stellar's rs-soroban-env). */
const assetErrors = {
  accountMissing: 6,
  negativeAmount: 8,
  allowance: 9,
  balance: 10,
  deauthorized: 11,
  overflow: 12,
  trustlineMissing: 13,
}

function failAsset(error: keyof typeof assetErrors): never {
  throw new HostError(`HostError: Error(Contract, #${assetErrors[error]})`)
}

/** Balances of an asset. Accounts hold it in trustlines (XLM in the account itself), contracts in entries of the asset contract. */
type Balances = {
  of: (holder: string) => bigint
  /** The amount may be negative. */
  move: (holder: string, amount: bigint) => void
}

const int64Max = (1n << 63n) - 1n
const int128Max = (1n << 127n) - 1n
const balanceType = { amount: ['symbol', 'i128'], authorized: ['symbol'], clawback: ['symbol'] }

function createBalances(options: AssetOptions): Balances {
  const ofContracts = contractBalances(options)
  const ofAccounts = options.asset.isNative() ? xlmBalances(options) : trustlineBalances(options)
  const side = (holder: string) => (holder.startsWith('C') ? ofContracts : ofAccounts)
  return {
    of: (holder) => side(holder).of(holder),
    move: (holder, amount) => side(holder).move(holder, amount),
  }
}

function contractBalances({ contract, state, sequence, touch }: AssetOptions): Balances {
  const keyOf = (holder: string) =>
    contractDataLedgerKey(contract, xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Balance'), addressValue(holder)]))
  const read = (holder: string): bigint => {
    touch(keyOf(holder), false)
    const stored = readContractData(state, keyOf(holder), sequence)
    return stored === undefined ? 0n : BigInt(scValToNative(stored).amount)
  }
  return {
    of: read,
    move(holder, amount) {
      const balance = read(holder) + amount
      if (balance < 0n) failAsset('balance')
      if (balance > int128Max) failAsset('overflow')
      touch(keyOf(holder), true)
      const value = nativeToScVal(
        { amount: balance, authorized: true, clawback: false },
        { type: balanceType },
      )
      writeContractData(state, keyOf(holder), value, { sequence })
    },
  }
}

function xlmBalances({ state, touch }: AssetOptions): Balances {
  const accountOf = (address: string, isWrite: boolean): AccountState => {
    touch(accountLedgerKey(address), isWrite)
    return state.accounts.get(address) ?? failAsset('accountMissing')
  }
  return {
    of: (address) => accountOf(address, false).balance,
    move(address, amount) {
      const account = accountOf(address, true)
      const balance = account.balance + amount
      // An account cannot spend its reserve.
      if (balance > int64Max || (amount < 0n && balance < minimumBalance(account))) failAsset('balance')
      account.balance = balance
    },
  }
}

function trustlineBalances({ asset, state, touch }: AssetOptions): Balances {
  const name = asset.toString()
  const isIssuer = (address: string) => address === asset.getIssuer()
  const lineOf = (address: string): TrustlineState => {
    touch(trustlineLedgerKey(address, name), false)
    return state.trustlines.get(trustlineKey(address, name)) ?? failAsset('trustlineMissing')
  }
  return {
    // The issuer has no balance: it mints the tokens it sends and burns those it receives.
    of: (address) => (isIssuer(address) ? int64Max : lineOf(address).balance),
    move(address, amount) {
      if (isIssuer(address)) return
      if (!state.accounts.has(address)) {
        touch(accountLedgerKey(address), false)
        failAsset('accountMissing')
      }
      const line = lineOf(address)
      touch(trustlineLedgerKey(address, name), true)
      if (!line.authorized) failAsset('deauthorized')
      const balance = line.balance + amount
      if (balance < 0n || balance > line.limit) failAsset('balance')
      line.balance = balance
    },
  }
}

type Parties = { from: string; spender: string }

/** Allowances: temporary entries with an expiration ledger. */
type Allowances = {
  of: (parties: Parties) => bigint
  set: (parties: Parties, allowance: { amount: bigint; liveUntil: number }) => void
  spend: (parties: Parties, amount: bigint) => void
}

const valueType = { amount: ['symbol', 'i128'], live_until_ledger: ['symbol', 'u32'] }

function createAllowances({ contract, state, sequence, touch }: AssetOptions): Allowances {
  const keyOf = ({ from, spender }: Parties) => {
    const parties = Object.entries({ from, spender }).map(
      ([name, address]) => new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(name), val: addressValue(address) }),
    )
    const key = xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Allowance'), xdr.ScVal.scvMap(parties)])
    return contractDataLedgerKey(contract, key, 'temporary')
  }
  const read = (parties: Parties): { amount: bigint; liveUntil: number } => {
    touch(keyOf(parties), false)
    const stored = readContractData(state, keyOf(parties), sequence)
    const value = stored === undefined ? undefined : scValToNative(stored)
    // The entry may live longer than the allowance.
    if (value === undefined || value.live_until_ledger < sequence) return { amount: 0n, liveUntil: 0 }
    return { amount: value.amount, liveUntil: value.live_until_ledger }
  }
  const write = (parties: Parties, { amount, liveUntil }: { amount: bigint; liveUntil: number }) => {
    touch(keyOf(parties), true)
    const value = nativeToScVal({ amount, live_until_ledger: liveUntil }, { type: valueType })
    const isLasting = amount > 0n ? liveUntil : undefined
    writeContractData(state, keyOf(parties), value, { sequence, liveUntil: isLasting })
  }
  return {
    of: (parties) => read(parties).amount,
    set(parties, allowance) {
      if (allowance.amount > 0n && allowance.liveUntil < sequence) failAsset('allowance')
      if (allowance.liveUntil > sequence + maxEntryTtl - 1)
        throw new HostError('HostError: Error(Storage, InvalidAction): the allowance would live too long')
      write(parties, allowance)
    },
    spend(parties, amount) {
      const { amount: allowed, liveUntil } = read(parties)
      if (allowed < amount) failAsset('allowance')
      if (amount > 0n) write(parties, { amount: allowed - amount, liveUntil })
    },
  }
}
