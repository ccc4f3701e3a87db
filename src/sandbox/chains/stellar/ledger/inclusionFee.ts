import type { PendingTransaction } from './ledgerCore.ts'
import { sorobanDataOf } from './parseEnvelope.ts'

/** Stroops, and for how many operations they are. */
export type InclusionFee = { fee: bigint; operations: bigint }

/** What a transaction offers beside its resources, and for how many operations: a fee bump counts as one more. */
export function inclusionFee({ transaction, bump, fee }: PendingTransaction): InclusionFee {
  const resources = sorobanDataOf(transaction)?.resourceFee().toBigInt() ?? 0n
  return {
    fee: fee - resources,
    operations: BigInt(transaction.operations.length + (bump === undefined ? 0 : 1)),
  }
}
