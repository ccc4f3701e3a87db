import { type Asset, Keypair, xdr } from '@stellar/stellar-sdk'

/** Where the ledger keeps an account's trustline. */
export function trustlineKeyOf(address: string, asset: Asset): xdr.LedgerKey {
  return xdr.LedgerKey.trustline(
    new xdr.LedgerKeyTrustLine({
      accountId: Keypair.fromPublicKey(address).xdrAccountId(),
      asset: asset.toTrustLineXDRObject(),
    }),
  )
}
