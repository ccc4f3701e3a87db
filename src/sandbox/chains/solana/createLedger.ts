import { getTransactionDecoder } from '@solana/kit'
import { type FailedTransactionMetadata, LiteSVM, Rent, type TransactionMetadata } from 'litesvm'
import type { Clock as SystemClock } from '../../../redeemkit/core/clock.ts'
import { formatBase58 } from '../../../redeemkit/solana/encoding.ts'
import { networkOf } from '../../../redeemkit/solana/networks.ts'
import {
  type ParsedTransaction,
  parseTransaction,
} from '../../../redeemkit/solana/transaction/parseTransaction.ts'
import { type AccountState, accountStore, emptyAccount } from './accountStore.ts'
import { startBlocks } from './blocks.ts'
import { describeFailure, type LedgerTransaction, type RpcTransactionError } from './ledgerTransaction.ts'
import { loadPrograms } from './loadPrograms.ts'

export type Ledger = ReturnType<typeof createLedger>

/** The chain without a network port: accounts, transactions and blockhashes. Each transaction gets its own slot. */
export function createLedger(options: createLedger.Options = {}) {
  const { now = Date.now, slotMs, lamportsPerByte } = options
  const network = networkOf('sandbox')
  const svm = new LiteSVM()
  if (lamportsPerByte !== undefined) setLamportsPerByte(lamportsPerByte)
  loadPrograms(svm)
  const { nextSlot, announce, ...blocks } = startBlocks(svm, { now, slotMs })
  const accounts = accountStore(svm, network.usdcMint)
  const runner = transactionRunner(svm)
  const transactions = new Map<string, LedgerTransaction>()
  const states = (keys: readonly string[]) => keys.map((key) => accounts.read(key) ?? emptyAccount())

  function setLamportsPerByte(lamports: bigint): void {
    svm.setRent(new Rent(lamports, 1, 50))
  }
  function record(transaction: LedgerTransaction): void {
    transactions.set(transaction.signature, transaction)
    announce()
  }
  /**
   * LiteSVM knows only the latest blockhash and forgets past transactions, so this function checks expiry and duplicates,
   * in the same order as a node. LiteSVM checks unknown blockhashes, which may come from a nonce account.
   */
  function checkBlockhash(
    parsed: ParsedTransaction,
    behind: number,
  ): 'AlreadyProcessed' | 'BlockhashNotFound' | { blockhash: boolean } {
    const isKnown = blocks.at(behind).isRecent(parsed.blockhash)
    if (isKnown && transactions.has(signatureOf(parsed))) return 'AlreadyProcessed'
    // The blockhash is from a block that this lagging node does not know yet.
    if (!isKnown && blocks.isRecent(parsed.blockhash)) return 'BlockhashNotFound'
    return { blockhash: !isKnown }
  }
  /** Runs a transaction. `err` without `transaction` means that it was not included: it paid no fee and changed nothing. */
  function send(bytes: Uint8Array): {
    err: RpcTransactionError | null
    logs: string[]
    transaction?: LedgerTransaction
  } {
    const parsed = parseTransaction(bytes)
    const verdict = checkBlockhash(parsed, 0)
    if (typeof verdict === 'string') return { err: verdict, logs: [] }
    const readable = { bytes, parsed, ...usedAccounts(parsed, accounts.read) }
    const before = states(readable.accounts)
    const { err, logs, computeUnits, fee, inner } = runner.send(bytes, verdict)
    // A transaction that fails before its instructions run is not included.
    if (err !== null && (typeof err === 'string' || !('InstructionError' in err))) return { err, logs }
    const transaction: LedgerTransaction = {
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
  /** Simulates a transaction as a node that lags `behind` blocks would. */
  function simulate(
    bytes: Uint8Array,
    checks: { signatures: boolean; blockhash: boolean; behind?: number | undefined },
  ) {
    const parsed = parseTransaction(bytes)
    const verdict = checkBlockhash(parsed, checks.behind ?? 0)
    if (typeof verdict === 'string' && checks.blockhash) return { ...nothingRan, err: verdict }
    return runner.simulate(bytes, {
      signatures: checks.signatures,
      blockhash: checks.blockhash && typeof verdict !== 'string' && verdict.blockhash,
    })
  }
  return {
    svm,
    network,
    now,
    send,
    simulate,
    setLamportsPerByte,
    transactions,
    record,
    ...blocks,
    ...accounts,
  }
}

export declare namespace createLedger {
  type Options = {
    now?: SystemClock | undefined
    /** Duration of a slot. Default 400, as on the network. With `Infinity` only transactions produce blocks. */
    slotMs?: number | undefined
    /** Rent per byte of account data. Default: the network's 6960. SIMD-0437 lowers it in five steps: 6333, 5080, 2575, 1322, 696. */
    lamportsPerByte?: bigint | undefined
  }
}

/** Every account of a transaction, including those from its lookup tables. */
function usedAccounts(
  parsed: ParsedTransaction,
  read: (key: string) => AccountState | undefined,
): Pick<LedgerTransaction, 'accounts' | 'loaded'> {
  const pick = (which: 'writable' | 'readonly') =>
    parsed.lookups.flatMap((lookup) => {
      const data = read(lookup.table)?.data ?? new Uint8Array()
      // The addresses in a lookup table follow a 56-byte header.
      return lookup[which].map((index) => formatBase58(data.slice(56 + 32 * index, 88 + 32 * index)))
    })
  const loaded = { writable: pick('writable'), readonly: pick('readonly') }
  return { loaded, accounts: [...parsed.keys, ...loaded.writable, ...loaded.readonly] }
}

function signatureOf(parsed: ParsedTransaction): string {
  return formatBase58(parsed.signatures[0] ?? new Uint8Array())
}

type Checks = { signatures: boolean; blockhash: boolean }

function transactionRunner(svm: LiteSVM) {
  function withChecks<result>(checks: Checks, run: () => result): result {
    svm.withSigverify(checks.signatures).withBlockhashCheck(checks.blockhash)
    try {
      return run()
    } finally {
      svm.withSigverify(true).withBlockhashCheck(true)
    }
  }
  return {
    send: (bytes: Uint8Array, checks: Pick<Checks, 'blockhash'>) =>
      withChecks({ ...checks, signatures: true }, () =>
        outcomeOf(svm.sendTransaction(getTransactionDecoder().decode(bytes))),
      ),
    simulate: (bytes: Uint8Array, checks: Checks) => {
      const result = withChecks(checks, () => svm.simulateTransaction(getTransactionDecoder().decode(bytes)))
      return {
        ...outcomeOf('err' in result ? result : result.meta()),
        accounts: 'err' in result ? [] : result.postAccounts(),
      }
    },
  }
}

/** The outcome, without the error, of a transaction that was rejected before it ran. */
const nothingRan = { logs: [], computeUnits: 0, fee: 0, inner: [], accounts: [] }

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
