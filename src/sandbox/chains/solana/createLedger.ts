import { getTransactionDecoder } from '@solana/kit'
import { LiteSVM } from 'litesvm'
import type { Clock as SystemClock } from '../../../core/time/clock.ts'
import { formatBase58 } from '../../../solana/encoding/formatBase58.ts'
import { networkOf } from '../../../solana/networks.ts'
import { type ParsedTransaction, parseTransaction } from '../../../solana/transaction/parseTransaction.ts'
import { type AccountState, accountStore, emptyAccount } from './accountStore.ts'
import { startBlocks } from './blocks.ts'
import type { RpcTransactionError } from './describeFailure.ts'
import { type LandedTransaction, landedTransactions } from './landedTransactions.ts'
import { outcomeOf } from './outcomeOf.ts'

export type Ledger = ReturnType<typeof createLedger>

/**
 * The chain itself, without a port: accounts, transactions, blockhashes. Every transaction has a slot of its
 * own.
 */
export function createLedger(options: { now?: SystemClock | undefined } = {}) {
  const { now = Date.now } = options
  const network = networkOf('sandbox')
  const svm = new LiteSVM()
  const { nextSlot, ...blocks } = startBlocks(svm, now)
  const accounts = accountStore(svm, network.usdcMint)
  const transactions = landedTransactions()
  const states = (keys: readonly string[]) => keys.map((key) => accounts.read(key) ?? emptyAccount())
  /**
   * LiteSVM knows the latest blockhash alone, and forgets what has landed. So age and repetition are judged
   * here, in a node's order; a blockhash that is unknown here goes to LiteSVM, since it may be a nonce
   * account's.
   */
  function judge(parsed: ParsedTransaction): 'AlreadyProcessed' | { blockhashCheck: boolean } {
    const isKnown = blocks.isRecent(parsed.blockhash)
    return isKnown && transactions.landed.has(signatureOf(parsed))
      ? 'AlreadyProcessed'
      : { blockhashCheck: !isKnown }
  }
  /** Runs a transaction. `err` without `transaction` means that it did not land: no fee, no trace. */
  function send(bytes: Uint8Array): {
    err: RpcTransactionError | null
    logs: string[]
    transaction?: LandedTransaction
  } {
    const parsed = parseTransaction(bytes)
    const verdict = judge(parsed)
    if (verdict === 'AlreadyProcessed') return { err: verdict, logs: [] }
    const used = usedAccounts(parsed, accounts.read)
    const before = states(used.accounts)
    svm.withBlockhashCheck(verdict.blockhashCheck)
    const outcome = outcomeOf(svm.sendTransaction(getTransactionDecoder().decode(bytes)))
    svm.withBlockhashCheck(true)
    const { err, logs } = outcome
    // Only a transaction whose instructions ran has landed.
    if (err !== null && (typeof err === 'string' || !('InstructionError' in err))) return { err, logs }
    const transaction: LandedTransaction = {
      signature: signatureOf(parsed),
      slot: nextSlot(),
      blockTime: Math.floor(now() / 1000),
      bytes,
      parsed,
      ...used,
      ...outcome,
      before,
      after: states(used.accounts),
    }
    transactions.record(transaction)
    return { err, logs, transaction }
  }
  function simulate(bytes: Uint8Array, checks: { signatures: boolean; blockhash: boolean }) {
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
  }
  return { svm, network, now, send, simulate, ...blocks, ...accounts, ...transactions }
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
