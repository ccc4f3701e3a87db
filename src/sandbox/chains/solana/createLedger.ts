import { LiteSVM, Rent } from 'litesvm'
import type { Clock as SystemClock } from '../../../redeemkit/core/time/clock.ts'
import { formatBase58 } from '../../../redeemkit/solana/encoding.ts'
import { networkOf } from '../../../redeemkit/solana/networks.ts'
import {
  type ParsedTransaction,
  parseTransaction,
} from '../../../redeemkit/solana/transaction/parseTransaction.ts'
import { type AccountState, accountStore, emptyAccount } from './accountStore.ts'
import { startBlocks } from './blocks.ts'
import type { RpcTransactionError } from './describeFailure.ts'
import type { LandedTransaction } from './landedTransactions.ts'
import { loadPrograms } from './programs/loadPrograms.ts'
import { nothingRan, transactionRunner } from './transactionRunner.ts'

export type Ledger = ReturnType<typeof createLedger>

/**
 * The chain itself, without a port: accounts, transactions, blockhashes. Every transaction has a slot of its
 * own.
 */
export function createLedger(options: createLedger.Options = {}) {
  const { now = Date.now, slotMs, lamportsPerByte } = options
  const network = networkOf('sandbox')
  const svm = new LiteSVM()
  if (lamportsPerByte !== undefined) setLamportsPerByte(lamportsPerByte)
  loadPrograms(svm)
  const { nextSlot, announce, ...blocks } = startBlocks(svm, { now, slotMs })
  const accounts = accountStore(svm, network.usdcMint)
  const runner = transactionRunner(svm, accounts)
  const landed = new Map<string, LandedTransaction>()
  const states = (keys: readonly string[]) => keys.map((key) => accounts.read(key) ?? emptyAccount())

  function setLamportsPerByte(lamports: bigint): void {
    svm.setRent(new Rent(lamports, 1, 50))
  }
  function record(transaction: LandedTransaction): void {
    landed.set(transaction.signature, transaction)
    announce()
  }
  /**
   * LiteSVM knows the latest blockhash alone, and forgets what has landed. So age and repetition are judged
   * here, in a node's order; a blockhash that is unknown here goes to LiteSVM, since it may be a nonce
   * account's.
   */
  function judge(
    parsed: ParsedTransaction,
    behind: number,
  ): 'AlreadyProcessed' | 'BlockhashNotFound' | { blockhash: boolean } {
    const isKnown = blocks.at(behind).isRecent(parsed.blockhash)
    if (isKnown && landed.has(signatureOf(parsed))) return 'AlreadyProcessed'
    // Newer than what this node goes by.
    if (!isKnown && blocks.isRecent(parsed.blockhash)) return 'BlockhashNotFound'
    return { blockhash: !isKnown }
  }
  /** Runs a transaction. `err` without `transaction` means that it did not land: no fee, no trace. */
  function send(bytes: Uint8Array): {
    err: RpcTransactionError | null
    logs: string[]
    transaction?: LandedTransaction
  } {
    const parsed = parseTransaction(bytes)
    const verdict = judge(parsed, 0)
    if (typeof verdict === 'string') return { err: verdict, logs: [] }
    const readable = { bytes, parsed, ...usedAccounts(parsed, accounts.read) }
    const before = states(readable.accounts)
    const { err, logs, computeUnits, fee, inner } = runner.send(readable, verdict)
    // Only a transaction whose instructions ran has landed.
    if (err !== null && (typeof err === 'string' || !('InstructionError' in err))) return { err, logs }
    const transaction: LandedTransaction = {
      ...readable,
      ...{ err, logs, computeUnits, fee, inner, before },
      signature: signatureOf(parsed),
      slot: nextSlot(),
      blockTime: Math.floor(now() / 1000),
      after: states(readable.accounts),
    }
    record(transaction)
    return { err, logs, transaction }
  }
  /** Tries a transaction, as a node does that goes by the chain of some blocks ago. */
  function simulate(
    bytes: Uint8Array,
    checks: { signatures: boolean; blockhash: boolean; behind?: number | undefined },
  ) {
    const parsed = parseTransaction(bytes)
    const verdict = judge(parsed, checks.behind ?? 0)
    if (typeof verdict === 'string' && checks.blockhash) return { ...nothingRan, err: verdict }
    return runner.simulate(
      { bytes, parsed, ...usedAccounts(parsed, accounts.read) },
      {
        signatures: checks.signatures,
        blockhash: checks.blockhash && typeof verdict !== 'string' && verdict.blockhash,
      },
    )
  }
  return { svm, network, now, send, simulate, setLamportsPerByte, landed, record, ...blocks, ...accounts }
}

export declare namespace createLedger {
  type Options = {
    now?: SystemClock | undefined
    /** How long a slot lasts. Default 400, as on the network; with `Infinity` only transactions make blocks. */
    slotMs?: number | undefined
    /**
     * Price of a byte of an account. Default 6960. SIMD-0437 lowers it in five steps: 6333, 5080, 2575, 1322,
     * 696.
     */
    lamportsPerByte?: bigint | undefined
  }
}

/** Every account of a transaction, those of its lookup tables included. */
function usedAccounts(
  parsed: ParsedTransaction,
  read: (key: string) => AccountState | undefined,
): Pick<LandedTransaction, 'accounts' | 'loaded'> {
  const pick = (which: 'writable' | 'readonly') =>
    parsed.lookups.flatMap((lookup) => {
      const data = read(lookup.table)?.data ?? new Uint8Array()
      // A lookup table's addresses start after 56 bytes of its own.
      return lookup[which].map((index) => formatBase58(data.slice(56 + 32 * index, 88 + 32 * index)))
    })
  const loaded = { writable: pick('writable'), readonly: pick('readonly') }
  return { loaded, accounts: [...parsed.keys, ...loaded.writable, ...loaded.readonly] }
}

function signatureOf(parsed: ParsedTransaction): string {
  return formatBase58(parsed.signatures[0] ?? new Uint8Array())
}
