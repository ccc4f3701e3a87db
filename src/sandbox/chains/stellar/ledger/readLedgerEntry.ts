import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { Address, Asset, Keypair, xdr } from '../../../../redeemkit/stellar/sdk.ts'
import {
  type AccountState,
  type LedgerState,
  parseAsset,
  readContractData,
  type TrustlineState,
  trustlineKey,
} from './state.ts'

export function readLedgerEntry(
  { state, sequence, instanceOf }: readLedgerEntry.Source,
  key: Xdr.LedgerKey,
): Xdr.LedgerEntryData | undefined {
  switch (key.switch().name) {
    case 'account': {
      const account = state.accounts.get(Address.account(key.account().accountId().ed25519()).toString())
      return account && accountEntry(account)
    }
    case 'trustline': {
      const address = Address.account(key.trustLine().accountId().ed25519()).toString()
      const asset = key.trustLine().asset()
      if (!asset.switch().name.startsWith('assetTypeCredit')) return undefined
      // A trustline asset other than native or a pool has the layout of an asset.
      const name = Asset.fromOperation(xdr.Asset.fromXDR(asset.toXDR())).toString()
      const line = state.trustlines.get(trustlineKey(address, name))
      return line && trustlineEntry(address, name, line)
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
    default:
      return undefined
  }
}

export declare namespace readLedgerEntry {
  type Source = {
    state: LedgerState
    sequence: number
    instanceOf: (contract: string) => Xdr.ScVal | undefined
  }
}

export function accountEntry(account: AccountState): Xdr.LedgerEntryData {
  return xdr.LedgerEntryData.account(
    new xdr.AccountEntry({
      accountId: Keypair.fromPublicKey(account.address).xdrAccountId(),
      balance: new xdr.Int64(account.balance),
      seqNum: new xdr.Int64(account.sequence),
      numSubEntries: account.subEntries,
      inflationDest: null,
      flags: 0,
      homeDomain: '',
      // Only the account's own key signs, with weight 1.
      thresholds: Buffer.from([1, 0, 0, 0]),
      signers: [],
      ext: accountExtension(account),
    }),
  )
}

/** Contains the numbers of sponsored reserves (CAP-33). */
function accountExtension(account: AccountState): Xdr.AccountEntryExt {
  const liabilities = new xdr.Liabilities({ buying: new xdr.Int64(0n), selling: new xdr.Int64(0n) })
  const sponsorships = new xdr.AccountEntryExtensionV2({
    numSponsored: account.sponsored,
    numSponsoring: account.sponsoring,
    signerSponsoringIDs: [],
    ext: new xdr.AccountEntryExtensionV2Ext(0),
  })
  const ext = new xdr.AccountEntryExtensionV1Ext(2, sponsorships)
  return new xdr.AccountEntryExt(1, new xdr.AccountEntryExtensionV1({ liabilities, ext }))
}

function trustlineEntry(address: string, asset: string, line: TrustlineState): Xdr.LedgerEntryData {
  return xdr.LedgerEntryData.trustline(
    new xdr.TrustLineEntry({
      accountId: Keypair.fromPublicKey(address).xdrAccountId(),
      asset: parseAsset(asset).toTrustLineXDRObject(),
      balance: new xdr.Int64(line.balance),
      limit: new xdr.Int64(line.limit),
      flags: line.authorized ? 1 : 0,
      ext: new xdr.TrustLineEntryExt(0),
    }),
  )
}

export function ledgerEntry(data: Xdr.LedgerEntryData, modified: number): Xdr.LedgerEntry {
  return new xdr.LedgerEntry({ lastModifiedLedgerSeq: modified, data, ext: new xdr.LedgerEntryExt(0) })
}

/** In bytes; 0 if the entry does not exist. */
export function entrySize(data: Xdr.LedgerEntryData | undefined): number {
  return data === undefined ? 0 : ledgerEntry(data, 0).toXDR().length
}

/** Contract entries are in memory (CAP-62, CAP-66). */
export function isOnDisk(key: Xdr.LedgerKey): boolean {
  return !key.switch().name.startsWith('contract')
}
