import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { Address, Asset, Keypair, xdr } from '../../../../redeemkit/stellar/sdk.ts'

export function accountLedgerKey(address: string): Xdr.LedgerKey {
  return xdr.LedgerKey.account(
    new xdr.LedgerKeyAccount({ accountId: Keypair.fromPublicKey(address).xdrAccountId() }),
  )
}

/** The ledger key of a trustline; `asset` is `CODE:ISSUER`. */
export function trustlineLedgerKey(address: string, asset: string): Xdr.LedgerKey {
  return xdr.LedgerKey.trustline(
    new xdr.LedgerKeyTrustLine({
      accountId: Keypair.fromPublicKey(address).xdrAccountId(),
      asset: parseAsset(asset).toTrustLineXDRObject(),
    }),
  )
}

export function contractDataLedgerKey(
  contract: string,
  key: Xdr.ScVal,
  durability: 'persistent' | 'temporary' = 'persistent',
): Xdr.LedgerKey {
  return xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: Address.fromString(contract).toScAddress(),
      key,
      durability: xdr.ContractDataDurability[durability](),
    }),
  )
}

export function instanceLedgerKey(contract: string): Xdr.LedgerKey {
  return contractDataLedgerKey(contract, xdr.ScVal.scvLedgerKeyContractInstance())
}

/** Parses `CODE:ISSUER`. */
export function parseAsset(asset: string): Asset {
  const [code = '', issuer] = asset.split(':')
  return new Asset(code, issuer)
}
