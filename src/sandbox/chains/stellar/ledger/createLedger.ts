import type { xdr as Xdr } from '@stellar/stellar-sdk'
import type { Clock } from '../../../../redeemkit/core/clock.ts'
import { showValue } from '../../../../redeemkit/core/errors/showValue.ts'
import { networkOf } from '../../../../redeemkit/stellar/networks.ts'
import { Asset, hash, StrKey, scValToBigInt, xdr } from '../../../../redeemkit/stellar/sdk.ts'
import { recordingAuthorizer } from './authorizer.ts'
import { addressValue, type Contract } from './contract.ts'
import { type AppliedTransaction, hostOptions, type LedgerCore } from './ledgerCore.ts'
import { LedgerError } from './parseEnvelope.ts'
import { isOnDisk, readLedgerEntry } from './readLedgerEntry.ts'
import { runHostFunction } from './runHostFunction.ts'
import { type Simulation, simulateTransaction } from './simulateTransaction.ts'
import {
  availableBalance,
  baseReserve,
  createAccount,
  createState,
  firstLiveUntil,
  outsideSponsor,
  trustlineKey,
} from './state.ts'
import {
  closeLedgers,
  followClock,
  nextLedger,
  type Submission,
  submitTransaction,
} from './submitTransaction.ts'

/** A simulated Stellar ledger in memory. The README of `chains/stellar` lists what is not simulated. */
export type Ledger = {
  readonly networkPassphrase: string
  readonly usdc: Asset
  latest: () => { sequence: number; closedAt: number }
  /** Creates the account if needed. */
  fund: (options: FundOptions) => void
  declareContract: (functions: Contract, name?: string) => string
  balanceOf: (address: string) => { xlm: bigint; usdc: bigint | undefined }
  /** Closes ledgers immediately. The first one includes the pending transactions. */
  closeLedgers: (count: number) => void
  nextLedger: () => Promise<void>
  readEntry: (key: Xdr.LedgerKey) => LedgerEntryInfo | undefined
  simulate: (transactionXdr: string) => Simulation
  submit: (transactionXdr: string) => Submission
  find: (hash: string) => AppliedTransaction | undefined
  isPending: (hash: string) => boolean
  /** Discards pending transactions and stops the timer. */
  stop: () => void
}

/** `liveUntil`: the last ledger in which a contract entry lives. */
type LedgerEntryInfo = {
  entry: Xdr.LedgerEntryData
  liveUntil: number | undefined
}

/** The state starts with the USDC issuer and the asset contracts. A ledger closes every 5 seconds, and sooner after a submission. */
export function createLedger(options: createLedger.Options = {}): Ledger {
  const core = createCore(options)
  const { networkPassphrase, usdc, transactions, pending } = core
  /** All due ledgers close before the function runs. */
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
    readEntry: timely(readEntry),
    balanceOf: timely(balanceOf),
    declareContract: (functions, name) => declareContract(core, functions, name),
    fund: timely(fundAccount),
    stop() {
      clearTimeout(core.timer)
      pending.length = 0
    },
  }
}

function readEntry(core: LedgerCore, key: Xdr.LedgerKey): LedgerEntryInfo | undefined {
  const { state, sequence } = core
  const instanceOf = (contract: string) => declaredInstance(core, contract)
  const entry = readLedgerEntry({ state, sequence, instanceOf }, key)
  if (entry === undefined) return undefined
  const name = key.toXDR('base64')
  const liveUntil = isOnDisk(key) ? undefined : (state.liveUntil.get(name) ?? firstLiveUntil(key, sequence))
  return { entry, liveUntil }
}

export declare namespace createLedger {
  type Options = {
    now?: Clock | undefined
    /** Machine time between a submission and the close of its ledger. Default 200. 0 applies the transaction before the response. */
    applyAfterMs?: number | undefined
  }
}

const firstSequence = 1000

function createCore(options: createLedger.Options): LedgerCore {
  const { networkPassphrase, usdc } = networkOf('sandbox')
  const { now = Date.now, applyAfterMs = 200 } = options
  const state = createState()
  state.accounts.set(usdc.issuer, createAccount(usdc.issuer, 1_000n * 10_000_000n, 0n))
  return {
    networkPassphrase,
    usdc: new Asset(usdc.code, usdc.issuer),
    now,
    applyAfterMs,
    contracts: new Map(),
    transactions: new Map(),
    pending: [],
    waiting: new Set(),
    timer: undefined,
    state,
    sequence: firstSequence,
    closedAt: Math.floor(now() / 1000),
    nonce: BigInt(now()),
  }
}

function declareContract({ contracts }: LedgerCore, functions: Contract, name?: string): string {
  const fullName = name ?? `contract ${contracts.size}`
  const contract = StrKey.encodeContract(hash(Buffer.from(`redeemkit simulation: ${fullName}`)))
  if (contracts.has(contract))
    throw new LedgerError(`A contract named ${showValue(fullName)} is already declared.`, {
      field: 'name',
      fix: 'Give each contract a different name.',
    })
  contracts.set(contract, functions)
  return contract
}

/** Returns a placeholder instance entry, because asset contracts and declared contracts have no Wasm. */
function declaredInstance(core: LedgerCore, contract: string): Xdr.ScVal | undefined {
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

type FundOptions = {
  address: string
  /** Stroops to add. Default 100 XLM for a new account, 0 for an existing one. */
  xlm?: bigint | undefined
  /** Raw units (7 decimals) to add; creates the trustline if needed. */
  usdc?: bigint | undefined
  /** Whether another account sponsors the reserves, so that the account needs no XLM. */
  sponsored?: boolean | undefined
  limit?: bigint | undefined
  /** Whether the issuer has authorized the trustline. Default true. */
  authorized?: boolean | undefined
}

const int64Max = (1n << 63n) - 1n

function fundAccount(core: LedgerCore, options: FundOptions): void {
  const { address, xlm, usdc: amount, sponsored = false, limit = int64Max, authorized = true } = options
  if (!StrKey.isValidEd25519PublicKey(address))
    throw new LedgerError(`${showValue(address, 60)} is not an account address.`, {
      field: 'address',
      fix: 'Pass an account address (G…). To fund a contract, send it USDC.',
    })
  const { accounts, trustlines } = core.state
  let account = accounts.get(address)
  if (account === undefined) {
    core.sequence += 1
    account = createAccount(address, xlm ?? 1_000_000_000n, BigInt(core.sequence) << 32n)
    if (sponsored) account.sponsored = 2
    accounts.set(address, account)
  } else account.balance += xlm ?? 0n
  if (amount === undefined) return
  const key = trustlineKey(address, core.usdc.toString())
  const line = trustlines.get(key)
  if (line !== undefined) {
    line.balance += amount
    return
  }
  trustlines.set(key, { balance: amount, limit, authorized, sponsor: sponsored ? outsideSponsor : undefined })
  account.subEntries += 1
  if (sponsored) account.sponsored += 1
  else if (availableBalance(account) < 0n) account.balance += baseReserve
}

/** XLM in stroops, and USDC in raw units (7 decimals; undefined without a trustline). */
function balanceOf(core: LedgerCore, address: string): { xlm: bigint; usdc: bigint | undefined } {
  if (!address.startsWith('C'))
    return {
      xlm: core.state.accounts.get(address)?.balance ?? 0n,
      usdc: core.state.trustlines.get(trustlineKey(address, core.usdc.toString()))?.balance,
    }
  const { sequence, closedAt } = core
  const options = hostOptions(core)
  const held = (asset: Asset) =>
    scValToBigInt(
      runHostFunction({
        ...options,
        authorizer: recordingAuthorizer({ ...options, source: '', sequence, nonce: () => 0n }),
        ledger: { sequence, timestamp: closedAt },
        call: {
          contract: asset.contractId(core.networkPassphrase),
          functionName: 'balance',
          args: [addressValue(address)],
        },
      }).returnValue,
    )
  return { xlm: held(Asset.native()), usdc: held(core.usdc) }
}
