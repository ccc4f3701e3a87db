import { Address, Asset, Keypair, xdr } from '@stellar/stellar-sdk'
import { type AccountState, type LedgerState, type TrustlineState, trustlineKey } from './state.ts'

/** The ledger key of an account. */
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

/** The ledger key of a contract's value. */
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

/** The ledger key of a contract's instance. */
export function instanceLedgerKey(contract: string): xdr.LedgerKey {
  return contractDataLedgerKey(contract, xdr.ScVal.scvLedgerKeyContractInstance())
}

/** The ledger key of uploaded Wasm. */
export function codeLedgerKey(wasmHash: Buffer): xdr.LedgerKey {
  return xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: wasmHash }))
}

/** Reads `CODE:ISSUER`. */
export function parseAsset(asset: string): Asset {
  const [code = '', issuer] = asset.split(':')
  return new Asset(code, issuer)
}

/**
 * The entry under a ledger key, as the RPC answers it.
 *
 * @returns undefined when there is none
 */
export function readLedgerEntry(
  state: LedgerState,
  key: xdr.LedgerKey,
  instanceOf: (contract: string) => xdr.ScVal | undefined,
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
      const stored = state.contractData.get(key.toXDR('base64'))
      const isInstance = key.contractData().key().switch().name === 'scvLedgerKeyContractInstance'
      const value =
        stored !== undefined
          ? xdr.ScVal.fromXDR(stored, 'base64')
          : isInstance
            ? instanceOf(Address.fromScAddress(key.contractData().contract()).toString())
            : undefined
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

function trustlineEntry(address: string, asset: string, line: TrustlineState): xdr.LedgerEntryData {
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
