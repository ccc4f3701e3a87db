/** The version of the protocol that this ledger looks like. */
export const protocolVersion = 23
/** Stroops of reserve for one entry. */
export const baseReserve = 5_000_000n
/** The least fee of one operation, in stroops. */
export const baseFee = 100n
/** How long an entry may live, and how long a new one lives at least, in ledgers (developers.stellar.org, Resource Limits & Fees). */
export const maxEntryTtl = 3_110_400
export const minimumTtl = { temporary: 17_280, persistent: 2_073_600 }
/** Who keeps the reserve of an entry that {@link LedgerState} was given out of nothing: nobody on this ledger. */
export const outsideSponsor = ''

export type AccountState = {
  address: string
  /** Stroops. */
  balance: bigint
  sequence: bigint
  /** Ledger and close time, unix seconds, of the last change of `sequence` (CAP-21). */
  sequenceLedger: number
  sequenceTime: number
  /** Weight of the account's own key. */
  masterWeight: number
  thresholds: { low: number; medium: number; high: number }
  /** Further keys, `G…`, and their weights. */
  signers: Map<string, number>
  /** Data entries, hex. */
  data: Map<string, string>
  homeDomain: string
  /** 1 authorization required, 2 revocable, 4 immutable, 8 clawback. */
  flags: number
  /** Trustlines, signers and data entries. */
  subEntries: number
  /** Reserves that somebody else keeps for it, and those that it keeps for others (CAP-33). */
  sponsored: number
  sponsoring: number
  /** Who keeps the reserve of a data entry or of a signer, by `data/NAME` or `signer/G…`. */
  entrySponsors: Map<string, string>
}

export type TrustlineState = {
  balance: bigint
  limit: bigint
  authorized: boolean
  /** Who keeps its reserve, when that is not its account. */
  sponsor?: string | undefined
}

/** All that a ledger remembers: plain values, so that a copy is a rollback. */
export type LedgerState = {
  accounts: Map<string, AccountState>
  /** By `account/CODE:ISSUER`. */
  trustlines: Map<string, TrustlineState>
  /** Base64 XDR of values, by base64 XDR of their ledger key. */
  contractData: Map<string, string>
  /** Wasm, hex, by its hash, hex. */
  code: Map<string, string>
  /** The last ledger in which an entry of a contract lives, by base64 XDR of its ledger key. */
  liveUntil: Map<string, number>
}

/** A state with nothing in it. */
export function createState(): LedgerState {
  return {
    accounts: new Map(),
    trustlines: new Map(),
    contractData: new Map(),
    code: new Map(),
    liveUntil: new Map(),
  }
}

/** Copies a state, so that what is done to the copy can be dropped. */
export function copyState(state: LedgerState): LedgerState {
  return structuredClone(state)
}

/** What an account must keep. */
export function minimumBalance(account: AccountState): bigint {
  return BigInt(2 + account.subEntries + account.sponsoring - account.sponsored) * baseReserve
}

/** What an account may spend. */
export function availableBalance(account: AccountState): bigint {
  return account.balance - minimumBalance(account)
}

/** The key of a trustline in the state. */
export function trustlineKey(address: string, asset: string): string {
  return `${address}/${asset}`
}

/** A new account. */
export function createAccount(address: string, balance: bigint, sequence: bigint): AccountState {
  return {
    address,
    balance,
    sequence,
    sequenceLedger: 0,
    sequenceTime: 0,
    masterWeight: 1,
    thresholds: { low: 0, medium: 0, high: 0 },
    signers: new Map(),
    data: new Map(),
    homeDomain: '',
    flags: 0,
    subEntries: 0,
    sponsored: 0,
    sponsoring: 0,
    entrySponsors: new Map(),
  }
}
