import type { FailedTransactionMetadata, TransactionMetadata } from 'litesvm'
import { formatBase58 } from '../../../redeemkit/solana/encoding.ts'
import { describeFailure } from './describeFailure.ts'

/** What LiteSVM says became of a transaction, in a node's words. */
export function outcomeOf(result: TransactionMetadata | FailedTransactionMetadata) {
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
