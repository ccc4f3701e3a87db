import { nativeToScVal, scValToNative, xdr } from '@stellar/stellar-sdk'
import { readContractData, writeContractData } from '../../entries/contractData.ts'
import { accountLedgerKey, contractDataLedgerKey, trustlineLedgerKey } from '../../entries/ledgerKeys.ts'
import { type AccountState, minimumBalance, type TrustlineState, trustlineKey } from '../../entries/state.ts'
import { addressValue } from '../contractValues.ts'
import { type AssetOptions, failAsset } from './assetOptions.ts'

/** Who has how much of an asset: accounts in their trustlines, or in their balance of XLM; contracts in entries of the contract. */
export type Balances = {
  of: (holder: string) => bigint
  /** Adds to a balance, or takes from it what is negative. */
  move: (holder: string, amount: bigint) => void
  isAuthorized: (holder: string) => boolean
}

const int64Max = (1n << 63n) - 1n
const int128Max = (1n << 127n) - 1n
const balanceType = { amount: ['symbol', 'i128'], authorized: ['symbol'], clawback: ['symbol'] }

/** The balances of an asset. */
export function createBalances(options: AssetOptions): Balances {
  const ofContracts = contractBalances(options)
  const ofAccounts = options.asset.isNative() ? xlmBalances(options) : trustlineBalances(options)
  const side = (holder: string) => (holder.startsWith('C') ? ofContracts : ofAccounts)
  return {
    of: (holder) => side(holder).of(holder),
    move: (holder, amount) => side(holder).move(holder, amount),
    isAuthorized: (holder) => side(holder).isAuthorized(holder),
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
    isAuthorized: () => true,
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
      // What an account has to keep does not leave it.
      if (balance > int64Max || (amount < 0n && balance < minimumBalance(account))) failAsset('balance')
      account.balance = balance
    },
    isAuthorized: (address) => accountOf(address, false) !== undefined,
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
    // The issuer has no balance: what it sends is made, what it gets is gone.
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
    isAuthorized: (address) => isIssuer(address) || lineOf(address).authorized,
  }
}
