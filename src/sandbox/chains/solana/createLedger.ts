import { address, getTransactionDecoder, lamports } from '@solana/kit'
import {
  Clock,
  type FailedTransactionMetadata,
  LiteSVM,
  type SlotHash,
  type TransactionMetadata,
} from 'litesvm'
import type { Clock as SystemClock } from '../../../core/time/clock.ts'
import { tokenAccountOf } from '../../../solana/address/tokenAccountOf.ts'
import { formatBase58 } from '../../../solana/encoding/formatBase58.ts'
import { parseBase58 } from '../../../solana/encoding/parseBase58.ts'
import { programs } from '../../../solana/instruction/programs.ts'
import { networkOf } from '../../../solana/networks.ts'
import { type ParsedTransaction, parseTransaction } from '../../../solana/transaction/parseTransaction.ts'
import { describeFailure, type RpcTransactionError } from './describeFailure.ts'

/** Blocks for which a blockhash is good, as on the real network. */
const blockhashLifetime = 150

/** A transaction that landed. */
export type LandedTransaction = {
  signature: string
  slot: number
  blockTime: number
  bytes: Uint8Array
  parsed: ParsedTransaction
  /** Every account: the message's own, then those of lookup tables, written before read. */
  accounts: string[]
  loaded: { writable: string[]; readonly: string[] }
  err: RpcTransactionError | null
  fee: number
  logs: string[]
  computeUnits: number
  inner: {
    index: number
    instructions: { programIdIndex: number; accounts: number[]; data: string; stackHeight: number }[]
  }[]
  before: AccountState[]
  after: AccountState[]
}

export type AccountState = { lamports: bigint; owner: string; data: Uint8Array }

export type Ledger = ReturnType<typeof createLedger>

/**
 * The chain itself, without a port: accounts, transactions, blockhashes. Every transaction has a slot of its own.
 */
export function createLedger(options: { now?: SystemClock | undefined } = {}) {
  const { now = Date.now } = options
  const network = networkOf('sandbox')
  const svm = new LiteSVM()
  const landed = new Map<string, LandedTransaction>()
  const watchers = new Map<string, Set<(transaction: LandedTransaction) => void>>()
  let blockHeight = 0
  let recentSlots: SlotHash[] = []
  let blockhashes: { blockhash: string; lastValidBlockHeight: number }[] = []
  tick()

  function tick(): number {
    const { slot, epochStartTimestamp, epoch, leaderScheduleEpoch } = svm.getClock()
    const time = BigInt(Math.floor(now() / 1000))
    svm.setClock(new Clock(slot + 1n, epochStartTimestamp, epoch, leaderScheduleEpoch, time))
    // A new lookup table names a recent slot; the runtime looks it up here. LiteSVM takes plain objects for its own class.
    const current = { slot: slot + 1n, hash: String(svm.latestBlockhash()) } as SlotHash
    recentSlots = [current, ...recentSlots.slice(0, blockhashLifetime - 1)]
    svm.setSlotHashes(recentSlots)
    nextBlock(1)
    return Number(slot + 1n)
  }
  /** A block has a hash of its own: two equal transactions in two blocks are two. */
  function nextBlock(blocks: number): void {
    svm.expireBlockhash()
    blockHeight += blocks
    const latest = {
      blockhash: String(svm.latestBlockhash()),
      lastValidBlockHeight: blockHeight + blockhashLifetime,
    }
    blockhashes = [latest, ...blockhashes.filter((one) => one.lastValidBlockHeight >= blockHeight)]
  }
  const isRecent = (blockhash: string) => blockhashes.some((one) => one.blockhash === blockhash)
  /**
   * LiteSVM knows the latest blockhash alone, and forgets what has landed. So age and repetition are judged here, in a node's
   * order; a blockhash that is unknown here goes to LiteSVM, since it may be a nonce account's.
   */
  function judge(parsed: ParsedTransaction): 'AlreadyProcessed' | { blockhashCheck: boolean } {
    const isKnown = isRecent(parsed.blockhash)
    return isKnown && landed.has(signatureOf(parsed)) ? 'AlreadyProcessed' : { blockhashCheck: !isKnown }
  }
  function read(key: string): AccountState | undefined {
    const account = svm.getAccount(address(key))
    if (!account.exists || account.lamports === 0n) return undefined
    return { lamports: account.lamports, owner: account.programAddress, data: Uint8Array.from(account.data) }
  }
  function write(key: string, state: AccountState): void {
    svm.setAccount({
      address: address(key),
      lamports: lamports(state.lamports),
      programAddress: address(state.owner),
      data: state.data,
      space: BigInt(state.data.length),
      executable: false,
    })
  }
  function accountsOf(parsed: ParsedTransaction) {
    const pick = (which: 'writable' | 'readonly') =>
      parsed.lookups.flatMap((lookup) => {
        const data = read(lookup.table)?.data ?? new Uint8Array()
        // A lookup table's addresses start after 56 bytes of its own.
        return lookup[which].map((index) => formatBase58(data.slice(56 + 32 * index, 88 + 32 * index)))
      })
    const loaded = { writable: pick('writable'), readonly: pick('readonly') }
    return { loaded, accounts: [...parsed.keys, ...loaded.writable, ...loaded.readonly] }
  }
  const states = (accounts: readonly string[]) =>
    accounts.map((key) => read(key) ?? { lamports: 0n, owner: programs.system, data: new Uint8Array() })

  const ledger = {
    svm,
    network,
    landed,
    read,
    write,
    accountsOf,
    now,
    slot: () => Number(svm.getClock().slot),
    blockHeight: () => blockHeight,
    latestBlockhash: () => ({
      blockhash: String(svm.latestBlockhash()),
      lastValidBlockHeight: blockHeight + blockhashLifetime,
    }),
    isRecent,
    /** Makes every blockhash given out so far too old, and moves past their last valid block. */
    expireBlockhash: () => nextBlock(blockhashLifetime + 1),
    /** Runs a transaction. `err` without `transaction` means that it did not land: no fee, no trace. */
    send: (
      bytes: Uint8Array,
    ): { err: RpcTransactionError | null; logs: string[]; transaction?: LandedTransaction } => {
      const parsed = parseTransaction(bytes)
      const verdict = judge(parsed)
      if (verdict === 'AlreadyProcessed') return { err: verdict, logs: [] }
      const { accounts, loaded } = accountsOf(parsed)
      const before = states(accounts)
      svm.withBlockhashCheck(verdict.blockhashCheck)
      const outcome = outcomeOf(svm.sendTransaction(getTransactionDecoder().decode(bytes)))
      svm.withBlockhashCheck(true)
      const { err, logs } = outcome
      // Only a transaction whose instructions ran has landed.
      if (err !== null && (typeof err === 'string' || !('InstructionError' in err))) return { err, logs }
      const transaction: LandedTransaction = {
        signature: signatureOf(parsed),
        slot: tick(),
        blockTime: Math.floor(now() / 1000),
        bytes,
        parsed,
        accounts,
        loaded,
        ...outcome,
        before,
        after: states(accounts),
      }
      ledger.record(transaction)
      return { err, logs, transaction }
    },
    simulate: (bytes: Uint8Array, checks: { signatures: boolean; blockhash: boolean }) => {
      const transaction = getTransactionDecoder().decode(bytes)
      const verdict = judge(parseTransaction(bytes))
      if (verdict === 'AlreadyProcessed' && checks.blockhash)
        return { err: verdict, logs: [], computeUnits: 0, fee: 0, inner: [], accounts: [] }
      const blockhashCheck = verdict !== 'AlreadyProcessed' && verdict.blockhashCheck
      svm.withSigverify(checks.signatures).withBlockhashCheck(checks.blockhash && blockhashCheck)
      try {
        const result = svm.simulateTransaction(transaction)
        if ('err' in result) return { ...outcomeOf(result), accounts: [] }
        return { ...outcomeOf(result.meta()), accounts: result.postAccounts() }
      } finally {
        svm.withSigverify(true).withBlockhashCheck(true)
      }
    },
    record: (transaction: LandedTransaction) => {
      landed.set(transaction.signature, transaction)
      for (const notify of watchers.get(transaction.signature) ?? []) notify(transaction)
      watchers.delete(transaction.signature)
    },
    /** Calls once, when the transaction lands; at once when it is there. Returns what ends the watch. */
    watch: (signature: string, notify: (transaction: LandedTransaction) => void): (() => void) => {
      const found = landed.get(signature)
      if (found !== undefined) {
        notify(found)
        return () => undefined
      }
      const waiting = watchers.get(signature) ?? new Set()
      watchers.set(signature, waiting.add(notify))
      return () => waiting.delete(notify)
    },
    /** Gives SOL, out of nothing. */
    fundSol: (key: string, amount: bigint) => {
      const state = read(key) ?? { lamports: 0n, owner: programs.system, data: new Uint8Array() }
      write(key, { ...state, lamports: state.lamports + amount })
    },
    /** Gives USDC (raw units), out of nothing: to the owner's token account, which is there afterwards. */
    fundUsdc: (owner: string, amount: bigint) => {
      const mint = network.usdcMint
      const key = tokenAccountOf({ owner, mint })
      const found = read(key)
      // Lamports may lie at the address before there is an account.
      const data = found?.owner === programs.token ? found.data : newTokenAccount(mint, owner)
      addTo(data, 64, amount)
      write(key, { lamports: svm.minimumBalanceForRentExemption(165n), owner: programs.token, data })
      const minted = read(mint)
      if (minted === undefined) return
      addTo(minted.data, 36, amount)
      write(mint, minted)
    },
    /** USDC of an owner in raw units; 0 without a token account. */
    usdcOf: (owner: string): bigint => {
      const state = read(tokenAccountOf({ owner, mint: network.usdcMint }))
      return state === undefined ? 0n : readAmount(state.data, 64)
    },
  }
  write(network.usdcMint, {
    lamports: svm.minimumBalanceForRentExemption(82n),
    owner: programs.token,
    data: newMint(),
  })
  return ledger
}

function signatureOf(parsed: ParsedTransaction): string {
  return formatBase58(parsed.signatures[0] ?? new Uint8Array())
}

function outcomeOf(result: TransactionMetadata | FailedTransactionMetadata) {
  const meta = 'meta' in result ? result.meta() : result
  return {
    err: 'err' in result ? describeFailure(result.toString()) : null,
    logs: meta.logs(),
    computeUnits: Number(meta.computeUnitsConsumed()),
    fee: Number(/\bfee: (\d+)/.exec(meta.toString())?.[1] ?? 0),
    inner: meta.innerInstructions().flatMap((list, index) =>
      list.length === 0
        ? []
        : [
            {
              index,
              instructions: list.map((inner) => ({
                programIdIndex: inner.instruction().programIdIndex(),
                accounts: [...inner.instruction().accounts()],
                data: formatBase58(inner.instruction().data()),
                stackHeight: inner.stackHeight(),
              })),
            },
          ],
    ),
  }
}

/** A mint of 6 decimals that nobody can mint: the sandbox hands its tokens out by writing accounts. */
function newMint(): Uint8Array {
  const data = new Uint8Array(82)
  data[44] = 6
  data[45] = 1
  return data
}

function newTokenAccount(mint: string, owner: string): Uint8Array {
  const data = new Uint8Array(165)
  data.set(parseBase58(mint, { field: 'mint', length: 32 }), 0)
  data.set(parseBase58(owner, { field: 'owner', length: 32 }), 32)
  data[108] = 1
  return data
}

/** A little-endian u64 in account data. */
export function readAmount(data: Uint8Array, at: number): bigint {
  return new DataView(data.buffer, data.byteOffset).getBigUint64(at, true)
}

function addTo(data: Uint8Array, at: number, amount: bigint): void {
  new DataView(data.buffer, data.byteOffset).setBigUint64(at, readAmount(data, at) + amount, true)
}
