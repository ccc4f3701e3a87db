import { Asset, hash, StrKey, xdr } from '@stellar/stellar-sdk'
import { showValue } from '../../../../core/errors/showValue.ts'
import type { Clock } from '../../../../core/time/clock.ts'
import { networkOf } from '../../../../stellar/index.ts'
import { readLedgerEntry } from '../entries/readLedgerEntry.ts'
import { createAccount, createState } from '../entries/state.ts'
import type { Contract } from '../host/contract.ts'
import { balanceOf } from './balanceOf.ts'
import { LedgerError } from './errors.ts'
import { type FundOptions, fundAccount } from './fundAccount.ts'
import { type AppliedTransaction, closeLedgers, type LedgerCore } from './ledgerCore.ts'
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
  /** Closes empty ledgers. */
  closeLedgers: (count: number) => void
  readEntry: (key: xdr.LedgerKey) => xdr.LedgerEntryData | undefined
  simulate: (transactionXdr: string) => Simulation
  submit: (transactionXdr: string) => Submission
  find: (hash: string) => AppliedTransaction | undefined
  applied: () => readonly AppliedTransaction[]
}

/**
 * Makes an empty ledger on which USDC's issuer and its asset contract exist.
 *
 * Each submitted transaction closes a ledger of its own, at the time of the clock.
 */
export function createLedger(options: createLedger.Options = {}): Ledger {
  const core = createCore(options)
  const { networkPassphrase, usdc, transactions } = core
  return {
    networkPassphrase,
    usdc,
    latest: () => ({ sequence: core.sequence, closedAt: core.closedAt }),
    closeLedgers: (count) => closeLedgers(core, count),
    submit: (transactionXdr) => submitTransaction(core, transactionXdr),
    simulate: (transactionXdr) => simulateTransaction(core, transactionXdr),
    find: (id) => transactions.get(id),
    applied: () => [...transactions.values()],
    readEntry: (key) => readLedgerEntry(core.state, key, (contract) => declaredInstance(core, contract)),
    balanceOf: (address) => balanceOf(core, address),
    declareContract: (functions, name) => declareContract(core, functions, name),
    fund: (account) => fundAccount(core, account),
  }
}

export declare namespace createLedger {
  type Options = {
    /** Default: that of the test network, so that `environment: 'sandbox'` works on it. */
    networkPassphrase?: string | undefined
    /** Default: the issuer of USDC on the test network. */
    usdcIssuer?: string | undefined
    now?: Clock | undefined
  }
}

function createCore(options: createLedger.Options): LedgerCore {
  const network = networkOf('sandbox')
  const { networkPassphrase = network.networkPassphrase, usdcIssuer = network.usdc.issuer } = options
  const now = options.now ?? Date.now
  const state = createState()
  state.accounts.set(usdcIssuer, createAccount(usdcIssuer, 1_000n * 10_000_000n, 0n))
  return {
    networkPassphrase,
    usdc: new Asset(network.usdc.code, usdcIssuer),
    now,
    contracts: new Map(),
    transactions: new Map(),
    state,
    sequence: 1000,
    closedAt: Math.floor(now() / 1000),
    nonce: BigInt(now()),
  }
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

/** The instance entry of USDC's contract or of a declared one, made up: it has no Wasm. */
function declaredInstance(core: LedgerCore, contract: string): xdr.ScVal | undefined {
  const isAsset = contract === core.usdc.contractId(core.networkPassphrase)
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
