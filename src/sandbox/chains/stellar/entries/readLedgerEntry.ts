import { Address, Asset, xdr } from '@stellar/stellar-sdk'
import { readContractData } from './contractData.ts'
import { accountEntry, trustlineEntry } from './formatEntry.ts'
import { type LedgerState, trustlineKey } from './state.ts'

/**
 * The entry under a ledger key, as the RPC answers it.
 *
 * @returns undefined when there is none
 */
export function readLedgerEntry(
  { state, sequence, instanceOf }: readLedgerEntry.Source,
  key: xdr.LedgerKey,
): xdr.LedgerEntryData | undefined {
  switch (key.switch().name) {
    case 'account': {
      const account = state.accounts.get(Address.account(key.account().accountId().ed25519()).toString())
      return account && accountEntry(account)
    }
    case 'trustline': {
      const address = Address.account(key.trustLine().accountId().ed25519()).toString()
      const asset = key.trustLine().asset()
      if (!asset.switch().name.startsWith('assetTypeCredit')) return undefined
      // A trustline asset that is neither native nor a pool has the layout of an asset.
      const name = Asset.fromOperation(xdr.Asset.fromXDR(asset.toXDR())).toString()
      const line = state.trustlines.get(trustlineKey(address, name))
      return line && trustlineEntry(address, name, line)
    }
    case 'data': {
      const account = state.accounts.get(Address.account(key.data().accountId().ed25519()).toString())
      const value = account?.data.get(key.data().dataName().toString())
      if (value === undefined) return undefined
      return xdr.LedgerEntryData.data(
        new xdr.DataEntry({
          accountId: key.data().accountId(),
          dataName: key.data().dataName(),
          dataValue: Buffer.from(value, 'hex'),
          ext: new xdr.DataEntryExt(0),
        }),
      )
    }
    case 'contractData': {
      const stored = readContractData(state, key, sequence)
      const isInstance = key.contractData().key().switch().name === 'scvLedgerKeyContractInstance'
      const value =
        stored ??
        (isInstance ? instanceOf(Address.fromScAddress(key.contractData().contract()).toString()) : undefined)
      if (value === undefined) return undefined
      return xdr.LedgerEntryData.contractData(
        new xdr.ContractDataEntry({
          ext: new xdr.ExtensionPoint(0),
          contract: key.contractData().contract(),
          key: key.contractData().key(),
          durability: key.contractData().durability(),
          val: value,
        }),
      )
    }
    case 'contractCode': {
      const hash = key.contractCode().hash()
      const code = state.code.get(hash.toString('hex'))
      if (code === undefined) return undefined
      return xdr.LedgerEntryData.contractCode(
        new xdr.ContractCodeEntry({
          ext: new xdr.ContractCodeEntryExt(0),
          hash,
          code: Buffer.from(code, 'hex'),
        }),
      )
    }
    default:
      return undefined
  }
}

export declare namespace readLedgerEntry {
  type Source = {
    state: LedgerState
    /** The ledger to read it in. */
    sequence: number
    /** The instance of a contract that has no entry of its own. */
    instanceOf: (contract: string) => xdr.ScVal | undefined
  }
}
