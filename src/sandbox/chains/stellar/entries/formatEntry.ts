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
      flags: account.flags,
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
      ext: accountExtension(account),
    }),
  )
}

/** Reserves that are sponsored (CAP-33), and when the sequence number moved (CAP-21). */
function accountExtension(account: AccountState): xdr.AccountEntryExt {
  const liabilities = new xdr.Liabilities({ buying: new xdr.Int64(0n), selling: new xdr.Int64(0n) })
  const sequenceChange = new xdr.AccountEntryExtensionV3({
    ext: new xdr.ExtensionPoint(0),
    seqLedger: account.sequenceLedger,
    seqTime: new xdr.Uint64(BigInt(account.sequenceTime)),
  })
  const sponsorships = new xdr.AccountEntryExtensionV2({
    numSponsored: account.sponsored,
    numSponsoring: account.sponsoring,
    signerSponsoringIDs: [...account.signers].map(([address]) => {
      const sponsor = account.entrySponsors.get(`signer/${address}`)
      // The SDK's types do not say that a descriptor is an optional account.
      return (
        sponsor === undefined ? null : Keypair.fromPublicKey(sponsor).xdrAccountId()
      ) as xdr.SponsorshipDescriptor
    }),
    ext: new xdr.AccountEntryExtensionV2Ext(3, sequenceChange),
  })
  const ext = new xdr.AccountEntryExtensionV1Ext(2, sponsorships)
  return new xdr.AccountEntryExt(1, new xdr.AccountEntryExtensionV1({ liabilities, ext }))
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
