import { Keypair, xdr } from '@stellar/stellar-sdk'
import { parseAsset } from './ledgerKeys.ts'
import type { AccountState, TrustlineState } from './state.ts'

/** An account as a ledger entry. */
export function accountEntry(account: AccountState): xdr.LedgerEntryData {
  return xdr.LedgerEntryData.account(
    new xdr.AccountEntry({
      accountId: Keypair.fromPublicKey(account.address).xdrAccountId(),
      balance: new xdr.Int64(account.balance),
      seqNum: new xdr.Int64(account.sequence),
      numSubEntries: account.subEntries,
      inflationDest: null,
      flags: 0,
      homeDomain: account.homeDomain,
      thresholds: Buffer.from([
        account.masterWeight,
        account.thresholds.low,
        account.thresholds.medium,
        account.thresholds.high,
      ]),
      signers: [...account.signers].map(
        ([address, weight]) =>
          new xdr.Signer({
            key: xdr.SignerKey.signerKeyTypeEd25519(Keypair.fromPublicKey(address).rawPublicKey()),
            weight,
          }),
      ),
      ext: new xdr.AccountEntryExt(0),
    }),
  )
}

/** A trustline as a ledger entry. */
export function trustlineEntry(address: string, asset: string, line: TrustlineState): xdr.LedgerEntryData {
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
