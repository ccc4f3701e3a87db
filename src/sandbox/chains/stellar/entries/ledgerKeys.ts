import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { Address, Asset, Keypair, xdr } from '../../../../redeemkit/stellar/sdk.ts'
import { type LedgerState, minimumTtl } from './state.ts'

export function accountLedgerKey(address: string): Xdr.LedgerKey {
  return xdr.LedgerKey.account(
    new xdr.LedgerKeyAccount({ accountId: Keypair.fromPublicKey(address).xdrAccountId() }),
  )
}

/** `asset` is `CODE:ISSUER`. */
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

export function parseAsset(asset: string): Asset {
  const [code = '', issuer] = asset.split(':')
  return new Asset(code, issuer)
}

/** Undefined if the entry does not exist or has expired. */
export function readContractData(
  state: LedgerState,
  key: Xdr.LedgerKey,
  sequence: number,
): Xdr.ScVal | undefined {
  const name = key.toXDR('base64')
  const stored = state.contractData.get(name)
  if (stored === undefined) return undefined
  if (isTemporary(key) && (state.liveUntil.get(name) ?? 0) < sequence) return undefined
  return xdr.ScVal.fromXDR(stored, 'base64')
}

/** A new entry gets the minimum lifetime of its kind; `liveUntil` may extend it. */
export function writeContractData(
  state: LedgerState,
  key: Xdr.LedgerKey,
  value: Xdr.ScVal,
  { sequence, liveUntil = 0 }: { sequence: number; liveUntil?: number | undefined },
): void {
  const name = key.toXDR('base64')
  const isNew = readContractData(state, key, sequence) === undefined
  const first = isNew ? firstLiveUntil(key, sequence) : (state.liveUntil.get(name) ?? 0)
  state.contractData.set(name, value.toXDR('base64'))
  state.liveUntil.set(name, Math.max(first, liveUntil))
}

/** Returns the last ledger in which an entry created in ledger `sequence` is live. */
export function firstLiveUntil(key: Xdr.LedgerKey, sequence: number): number {
  return sequence + (isTemporary(key) ? minimumTtl.temporary : minimumTtl.persistent) - 1
}

/** A temporary entry is deleted after its last ledger. */
function isTemporary(key: Xdr.LedgerKey): boolean {
  return key.switch().name === 'contractData' && key.contractData().durability().name === 'temporary'
}
