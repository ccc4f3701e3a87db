import { ed25519 } from '@noble/curves/ed25519.js'
import { getTransactionDecoder } from '@solana/kit'
import type { LiteSVM } from 'litesvm'
import { parseBase58 } from '../../../redeemkit/solana/encoding.ts'
import type { ParsedTransaction } from '../../../redeemkit/solana/transaction/parseTransaction.ts'
import { type accountStore, emptyAccount } from './accountStore.ts'
import { isWritable, type LandedTransaction } from './landedTransactions.ts'
import {
  annotateLogs,
  applyVerdicts,
  hasAssertions,
  type JudgedTransaction,
} from './lighthouse/applyVerdicts.ts'
import { outcomeOf } from './outcomeOf.ts'

/** A transaction, taken apart, with every account that it names. */
type Readable = Pick<LandedTransaction, 'bytes' | 'parsed' | 'accounts' | 'loaded'>

/** What is checked beside what the runtime checks anyway. */
type Checks = { signatures: boolean; blockhash: boolean }

/** Runs transactions in LiteSVM, those with assertions of the Lighthouse program with their outcomes in their place. */
export function transactionRunner(svm: LiteSVM, accounts: ReturnType<typeof accountStore>) {
  /** Runs with these checks, and switches all on again. */
  function withChecks<result>(checks: Checks, run: () => result): result {
    svm.withSigverify(checks.signatures).withBlockhashCheck(checks.blockhash)
    try {
      return run()
    } finally {
      svm.withSigverify(true).withBlockhashCheck(true)
    }
  }
  function simulateBytes(bytes: Uint8Array, checks: Checks) {
    return withChecks(checks, () => svm.simulateTransaction(getTransactionDecoder().decode(bytes)))
  }
  /** Accounts as a transaction leaves them; undefined when it fails. */
  function accountsAfter(bytes: Uint8Array) {
    const result = simulateBytes(bytes, { signatures: false, blockhash: false })
    if ('err' in result) return undefined
    const changed = new Map(result.postAccounts().map((account) => [String(account.address), account]))
    return (address: string) => {
      const found = changed.get(address)
      const state =
        found === undefined
          ? (accounts.read(address) ?? emptyAccount())
          : { lamports: found.lamports, owner: found.programAddress, data: Uint8Array.from(found.data) }
      return { ...state, address, executable: accounts.isProgram(address) }
    }
  }
  function judged(transaction: Readable): JudgedTransaction | undefined {
    if (!hasAssertions(transaction.parsed)) return undefined
    return applyVerdicts({
      parsed: transaction.parsed,
      accounts: transaction.accounts,
      isWritable: (index) => isWritable(transaction, index),
      clock: svm.getClock(),
      accountsAfter,
    })
  }
  /** Prepares a run: the bytes for the runtime, and the checks that it still has to make. */
  function prepare(transaction: Readable, checks: Checks) {
    const guarded = judged(transaction)
    if (guarded === undefined) return { bytes: transaction.bytes, notes: [], checks }
    // The signatures are those of the transaction as it was sent.
    if (checks.signatures && !isSigned(transaction.parsed)) return undefined
    return { ...guarded, checks: { ...checks, signatures: false } }
  }
  return {
    send: (transaction: Readable, checks: Pick<Checks, 'blockhash'>) => {
      const run = prepare(transaction, { ...checks, signatures: true })
      if (run === undefined) return { ...nothingRan, err: 'SignatureFailure' }
      const outcome = withChecks(run.checks, () =>
        outcomeOf(svm.sendTransaction(getTransactionDecoder().decode(run.bytes))),
      )
      return { ...outcome, logs: annotateLogs(outcome.logs, run.notes) }
    },
    simulate: (transaction: Readable, checks: Checks) => {
      const run = prepare(transaction, checks)
      if (run === undefined) return { ...nothingRan, err: 'SignatureFailure' }
      const result = simulateBytes(run.bytes, run.checks)
      const outcome = outcomeOf('err' in result ? result : result.meta())
      return {
        ...outcome,
        logs: annotateLogs(outcome.logs, run.notes),
        accounts: 'err' in result ? [] : result.postAccounts(),
      }
    },
  }
}

/** The outcome of a transaction that was refused before it ran, its error aside. */
export const nothingRan = { logs: [], computeUnits: 0, fee: 0, inner: [], accounts: [] }

/** Whether every signature is there and good. */
function isSigned({ keys, signers, signatures, message }: ParsedTransaction): boolean {
  return keys.slice(0, signers).every((key, index) => {
    const signature = signatures[index] ?? new Uint8Array(64)
    return ed25519.verify(signature, message, parseBase58(key, { field: 'signer', length: 32 }))
  })
}
