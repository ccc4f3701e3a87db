import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { Address, Asset, Keypair, xdr } from '../../../../redeemkit/stellar/sdk.ts'

export const protocolVersion = 23
/** Reserve of one entry, in stroops. */
export const baseReserve = 5_000_000n
/** Minimum fee of one operation, in stroops. */
export const baseFee = 100n
/** Maximum and minimum lifetimes of an entry, in ledgers (developers.stellar.org, Resource Limits & Fees). */
export const maxEntryTtl = 3_110_400
const minimumTtl = { temporary: 17_280, persistent: 2_073_600 }
/** Sponsor of the reserves of test accounts funded with `sponsored`. It is not an account on this ledger. */
export const outsideSponsor = ''

export type AccountState = {
  address: string
  /** In stroops. */
  balance: bigint
  sequence: bigint
  /** Number of trustlines. */
  subEntries: number
  /** Numbers of this account's reserves that others sponsor, and of others' reserves that this account sponsors (CAP-33). */
  sponsored: number
  sponsoring: number
}

export type TrustlineState = {
  balance: bigint
  limit: bigint
  authorized: boolean
  /** The account that sponsors the reserve, if it is not the holder. */
  sponsor?: string | undefined
}

/** Plain values, which can be copied for a rollback. */
export type LedgerState = {
  accounts: Map<string, AccountState>
  /** Trustlines, by `account/CODE:ISSUER`. */
  trustlines: Map<string, TrustlineState>
  /** Values as base64 XDR, by their ledger key as base64 XDR. */
  contractData: Map<string, string>
  /** The last ledger of each contract entry, by its ledger key as base64 XDR. */
  liveUntil: Map<string, number>
}

export function createState(): LedgerState {
  return {
    accounts: new Map(),
    trustlines: new Map(),
    contractData: new Map(),
    liveUntil: new Map(),
  }
}

export function copyState(state: LedgerState): LedgerState {
  return structuredClone(state)
}

export function minimumBalance(account: AccountState): bigint {
  return BigInt(2 + account.subEntries + account.sponsoring - account.sponsored) * baseReserve
}

/** In stroops. */
export function availableBalance(account: AccountState): bigint {
  return account.balance - minimumBalance(account)
}

export function trustlineKey(address: string, asset: string): string {
  return `${address}/${asset}`
}

export function createAccount(address: string, balance: bigint, sequence: bigint): AccountState {
  return {
    address,
    balance,
    sequence,
    subEntries: 0,
    sponsored: 0,
    sponsoring: 0,
  }
}

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
