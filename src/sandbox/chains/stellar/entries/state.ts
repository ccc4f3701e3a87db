export const protocolVersion = 23
/** Reserve of one entry, in stroops. */
export const baseReserve = 5_000_000n
/** Minimum fee of one operation, in stroops. */
export const baseFee = 100n
/** Maximum and minimum lifetimes of an entry, in ledgers (developers.stellar.org, Resource Limits & Fees). */
export const maxEntryTtl = 3_110_400
export const minimumTtl = { temporary: 17_280, persistent: 2_073_600 }
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
