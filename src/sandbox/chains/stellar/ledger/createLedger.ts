import { Asset, hash, StrKey, xdr } from '@stellar/stellar-sdk'
import { showValue } from '../../../../redeemkit/core/errors/showValue.ts'
import type { Clock } from '../../../../redeemkit/core/time/clock.ts'
import { networkOf } from '../../../../redeemkit/stellar/networks.ts'
import { firstLiveUntil } from '../entries/contractData.ts'
import { isOnDisk } from '../entries/ledgerEntry.ts'
import { readLedgerEntry } from '../entries/readLedgerEntry.ts'
import { type AccountState, createAccount, createState, type TrustlineState } from '../entries/state.ts'
import type { Contract } from '../host/contract.ts'
import { balanceOf } from './balanceOf.ts'
import { closeLedgers, followClock, nextLedger } from './closeLedgers.ts'
import { LedgerError } from './errors.ts'
import { type FundOptions, fundAccount } from './fundAccount.ts'
import type { AppliedTransaction, LedgerCore } from './ledgerCore.ts'
import { type Simulation, simulateTransaction } from './simulateTransaction.ts'
import { type Submission, submitTransaction } from './submitTransaction.ts'

/** A Stellar ledger in memory. A simulation: the README of `chains/stellar` says what it leaves out. */
export type Ledger = {
  readonly networkPassphrase: string
  readonly usdc: Asset
  latest: () => { sequence: number; closedAt: number }
  /** Puts an account, its XLM and its USDC there, out of nothing. */
  fund: (options: FundOptions) => void
  /** Declares a contract whose functions are TypeScript; returns its `C…` address. */
  declareContract: (functions: Contract, name?: string) => string
  balanceOf: (address: string) => { xlm: bigint; usdc: bigint | undefined }
  /** Closes ledgers now; what is pending gets into the first. */
  closeLedgers: (count: number) => void
  /** Resolves when the next ledger has closed. */
  nextLedger: () => Promise<void>
  readEntry: (key: xdr.LedgerKey) => LedgerEntryInfo | undefined
  /** An account with its trustlines. */
  readAccount: (address: string) => AccountInfo | undefined
  simulate: (transactionXdr: string) => Simulation
  submit: (transactionXdr: string) => Submission
  find: (hash: string) => AppliedTransaction | undefined
  /** Whether a transaction waits for the next ledger. */
  isPending: (hash: string) => boolean
  applied: () => readonly AppliedTransaction[]
  /** Drops what is pending, and the timer for it. */
  stop: () => void
}

type AccountInfo = {
  account: Readonly<AccountState>
  trustlines: readonly { code: string; issuer: string; line: Readonly<TrustlineState> }[]
}

/** An entry, the last ledger that changed it, and for a contract's the last in which it lives. */
type LedgerEntryInfo = {
  entry: xdr.LedgerEntryData
  modified: number
  liveUntil: number | undefined
}

/**
 * Makes an empty ledger on which USDC's issuer and its asset contract exist.
 *
 * A ledger closes every 5 seconds of the clock, and sooner when a transaction was sent.
 *
 * @throws {@link LedgerError} for a time to wait that is none
 */
export function createLedger(options: createLedger.Options = {}): Ledger {
  const core = createCore(options)
  const { networkPassphrase, usdc, transactions, pending } = core
  /** Looks at the clock first: the ledgers that it is due for are there when anybody looks. */
  const timely =
    <args extends unknown[], result>(work: (core: LedgerCore, ...args: args) => result) =>
    (...args: args): result => {
      followClock(core)
      return work(core, ...args)
    }
  return {
    networkPassphrase,
    usdc,
    latest: timely(({ sequence, closedAt }) => ({ sequence, closedAt })),
    closeLedgers: timely(closeLedgers),
    nextLedger: timely(nextLedger),
    submit: timely(submitTransaction),
    simulate: timely(simulateTransaction),
    find: timely((_, id: string) => transactions.get(id)),
    isPending: timely((_, id: string) => pending.some(({ hash: waiting }) => waiting === id)),
    applied: timely(() => [...transactions.values()]),
    readEntry: timely(readEntry),
    readAccount: timely(readAccount),
    balanceOf: timely(balanceOf),
    declareContract: (functions, name) => declareContract(core, functions, name),
    fund: timely(fundAccount),
    stop() {
      clearTimeout(core.timer)
      pending.length = 0
    },
  }
}

function readEntry(core: LedgerCore, key: xdr.LedgerKey): LedgerEntryInfo | undefined {
  const { state, sequence } = core
  const instanceOf = (contract: string) => declaredInstance(core, contract)
  const entry = readLedgerEntry({ state, sequence, instanceOf }, key)
  if (entry === undefined) return undefined
  const name = key.toXDR('base64')
  const liveUntil = isOnDisk(key) ? undefined : (state.liveUntil.get(name) ?? firstLiveUntil(key, sequence))
  return { entry, modified: core.modified.get(name) ?? firstSequence, liveUntil }
}

export declare namespace createLedger {
  type Options = {
    /** Default: that of the test network, so that `environment: 'sandbox'` works on it. */
    networkPassphrase?: string | undefined
    /** Default: the issuer of USDC on the test network. */
    usdcIssuer?: string | undefined
    now?: Clock | undefined
    /** A ledger closes by itself after so many seconds of the clock. Default 5, as on the network. */
    ledgerSeconds?: number | undefined
    /**
     * A ledger closes so long after a transaction was sent, by the machine's time. Default 200. With 0 a transaction is
     * applied before the answer to it, which no network does.
     */
    applyAfterMs?: number | undefined
  }
}

const firstSequence = 1000

function readAccount({ state }: LedgerCore, address: string): AccountInfo | undefined {
  const account = state.accounts.get(address)
  if (account === undefined) return undefined
  const trustlines = [...state.trustlines].flatMap(([name, line]) => {
    const [holder, asset = ''] = name.split('/')
    const [code = '', issuer = ''] = asset.split(':')
    return holder === address ? [{ code, issuer, line }] : []
  })
  return { account, trustlines }
}

function createCore(options: createLedger.Options): LedgerCore {
  const network = networkOf('sandbox')
  const { networkPassphrase = network.networkPassphrase, usdcIssuer = network.usdc.issuer } = options
  const { now = Date.now, ledgerSeconds = 5, applyAfterMs = 200 } = options
  checkPace('ledgerSeconds', ledgerSeconds, ledgerSeconds > 0)
  checkPace('applyAfterMs', applyAfterMs, applyAfterMs >= 0 && applyAfterMs < 2 ** 31)
  const state = createState()
  state.accounts.set(usdcIssuer, createAccount(usdcIssuer, 1_000n * 10_000_000n, 0n))
  return {
    networkPassphrase,
    usdc: new Asset(network.usdc.code, usdcIssuer),
    now,
    ledgerSeconds,
    applyAfterMs,
    contracts: new Map(),
    transactions: new Map(),
    pending: [],
    modified: new Map(),
    waiting: new Set(),
    timer: undefined,
    state,
    sequence: firstSequence,
    closedAt: Math.floor(now() / 1000),
    nonce: BigInt(now()),
  }
}

/** @throws {@link LedgerError} for a time that is none */
function checkPace(field: string, value: number, isGood: boolean): void {
  if (isGood) return
  throw new LedgerError(`The option ${field} is ${showValue(value)}, which is no time to wait.`, {
    field,
    fix: 'Give a positive number, or leave it out.',
  })
}

function declareContract({ contracts }: LedgerCore, functions: Contract, name?: string): string {
  const fullName = name ?? `contract ${contracts.size}`
  const contract = StrKey.encodeContract(hash(Buffer.from(`redeemkit simulation: ${fullName}`)))
  if (contracts.has(contract))
    throw new LedgerError(`A contract named ${showValue(fullName)} is declared already.`, {
      field: 'name',
      fix: 'Give each contract another name.',
    })
  contracts.set(contract, functions)
  return contract
}

/** The instance entry of an asset's contract or of a declared one, made up: it has no Wasm. */
function declaredInstance(core: LedgerCore, contract: string): xdr.ScVal | undefined {
  const isAsset = [core.usdc, Asset.native()].some(
    (asset) => contract === asset.contractId(core.networkPassphrase),
  )
  if (!isAsset && !core.contracts.has(contract)) return undefined
  return xdr.ScVal.scvContractInstance(
    new xdr.ScContractInstance({
      executable: isAsset
        ? xdr.ContractExecutable.contractExecutableStellarAsset()
        : xdr.ContractExecutable.contractExecutableWasm(hash(Buffer.from(`simulated ${contract}`))),
      storage: null,
    }),
  )
}
