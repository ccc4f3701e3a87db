import { Address, Asset, Keypair, xdr } from '@stellar/stellar-sdk'

export function accountLedgerKey(address: string): xdr.LedgerKey {
  return xdr.LedgerKey.account(
    new xdr.LedgerKeyAccount({ accountId: Keypair.fromPublicKey(address).xdrAccountId() }),
  )
}

/** The ledger key of a trustline; `asset` is `CODE:ISSUER`. */
export function trustlineLedgerKey(address: string, asset: string): xdr.LedgerKey {
  return xdr.LedgerKey.trustline(
    new xdr.LedgerKeyTrustLine({
      accountId: Keypair.fromPublicKey(address).xdrAccountId(),
      asset: parseAsset(asset).toTrustLineXDRObject(),
    }),
  )
}

export function contractDataLedgerKey(
  contract: string,
  key: xdr.ScVal,
  durability: 'persistent' | 'temporary' = 'persistent',
): xdr.LedgerKey {
  return xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: Address.fromString(contract).toScAddress(),
      key,
      durability: xdr.ContractDataDurability[durability](),
    }),
  )
}

export function instanceLedgerKey(contract: string): xdr.LedgerKey {
  return contractDataLedgerKey(contract, xdr.ScVal.scvLedgerKeyContractInstance())
}

/** Parses `CODE:ISSUER`. */
export function parseAsset(asset: string): Asset {
  const [code = '', issuer] = asset.split(':')
  return new Asset(code, issuer)
}
