import { getTransactionDecoder } from '@solana/kit'
import type { FailedTransactionMetadata, LiteSVM, TransactionMetadata } from 'litesvm'
import { formatBase58 } from '../../../redeemkit/solana/encoding.ts'
import { describeFailure } from './ledgerTransaction.ts'

/** Which checks the runtime makes before it runs a transaction. */
type Checks = { signatures: boolean; blockhash: boolean }

export function transactionRunner(svm: LiteSVM) {
  /** Runs with these checks, then restores the defaults. */
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

/** The outcome, apart from its error, of a transaction that was rejected before it ran. */
export const nothingRan = { logs: [], computeUnits: 0, fee: 0, inner: [], accounts: [] }

/** Converts LiteSVM's result to the form of a node's answer. */
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
