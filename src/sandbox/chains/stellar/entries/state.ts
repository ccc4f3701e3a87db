/** The version of the protocol that this ledger looks like. */
export const protocolVersion = 23
/** Stroops of reserve for one entry. */
export const baseReserve = 5_000_000n
/** The least fee of one operation, in stroops. */
export const baseFee = 100n
/** How long a temporary entry may live, in ledgers. */
export const maxEntryTtl = 3_110_400

export type AccountState = {
  address: string
  /** Stroops. */
  balance: bigint
  sequence: bigint
  /** Weight of the account's own key. */
  masterWeight: number
  thresholds: { low: number; medium: number; high: number }
  /** Further keys, `G…`, and their weights. */
  signers: Map<string, number>
  /** Data entries, hex. */
  data: Map<string, string>
  homeDomain: string
  /** Trustlines, signers and data entries. */
  subEntries: number
  /** Reserves that somebody else keeps for it. */
  sponsored: number
}

export type TrustlineState = { balance: bigint; limit: bigint; authorized: boolean }

/** All that a ledger remembers: plain values, so that a copy is a rollback. */
export type LedgerState = {
  accounts: Map<string, AccountState>
  /** By `account/CODE:ISSUER`. */
  trustlines: Map<string, TrustlineState>
  /** Base64 XDR of values, by base64 XDR of their ledger key. */
  contractData: Map<string, string>
  /** Wasm, hex, by its hash, hex. */
  code: Map<string, string>
  /** Last ledger of each used authorization nonce, by base64 XDR of its ledger key. */
  nonces: Map<string, number>
}

/** A state with nothing in it. */
export function createState(): LedgerState {
  return {
    accounts: new Map(),
    trustlines: new Map(),
    contractData: new Map(),
    code: new Map(),
    nonces: new Map(),
  }
}

/** Copies a state, so that what is done to the copy can be dropped. */
export function copyState(state: LedgerState): LedgerState {
  return structuredClone(state)
}

/** What an account must keep. */
export function minimumBalance(account: AccountState): bigint {
  return BigInt(2 + account.subEntries - account.sponsored) * baseReserve
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
    masterWeight: 1,
    thresholds: { low: 0, medium: 0, high: 0 },
    signers: new Map(),
    data: new Map(),
    homeDomain: '',
    subEntries: 0,
    sponsored: 0,
  }
}
