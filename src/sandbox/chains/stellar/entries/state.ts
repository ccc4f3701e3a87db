export const protocolVersion = 23
/** Reserve of one entry, in stroops. */
export const baseReserve = 5_000_000n
/** Minimum fee of one operation, in stroops. */
export const baseFee = 100n
/** Maximum and minimum lifetime of an entry, in ledgers (developers.stellar.org, Resource Limits & Fees). */
export const maxEntryTtl = 3_110_400
export const minimumTtl = { temporary: 17_280, persistent: 2_073_600 }
/** The reserve sponsor of test accounts funded as `sponsored`. It is not an account on this ledger. */
export const outsideSponsor = ''

export type AccountState = {
  address: string
  /** Stroops. */
  balance: bigint
  sequence: bigint
  /** Number of trustlines. */
  subEntries: number
  /** Number of its reserves that others sponsor, and of others' reserves that it sponsors (CAP-33). */
  sponsored: number
  sponsoring: number
}

export type TrustlineState = {
  balance: bigint
  limit: bigint
  authorized: boolean
  /** The reserve sponsor, if it is not the holder. */
  sponsor?: string | undefined
}

/** The ledger's state: plain values, so that a copy allows a rollback. */
export type LedgerState = {
  accounts: Map<string, AccountState>
  /** By `account/CODE:ISSUER`. */
  trustlines: Map<string, TrustlineState>
  /** Base64 XDR of values, by base64 XDR of their ledger key. */
  contractData: Map<string, string>
  /** The last ledger of a contract entry, by base64 XDR of its ledger key. */
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

/** Copies a state, so that changes to the copy can be discarded. */
export function copyState(state: LedgerState): LedgerState {
  return structuredClone(state)
}

export function minimumBalance(account: AccountState): bigint {
  return BigInt(2 + account.subEntries + account.sponsoring - account.sponsored) * baseReserve
}

/** The XLM an account may spend, in stroops. */
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
