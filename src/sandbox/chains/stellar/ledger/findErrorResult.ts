import type { xdr } from '@stellar/stellar-sdk'
import { type Closing, findFeeBumpRejection, findRejection } from './findRejection.ts'
import type { LedgerCore, PendingTransaction } from './ledgerCore.ts'
import { innerRejectedResult, rejectedResult } from './transactionResult.ts'

/** Everything that keeps a transaction off a ledger, as the network's result of it; undefined when nothing does. */
export function findErrorResult(
  { state }: LedgerCore,
  { transaction, bump }: PendingTransaction,
  closing: Closing,
): xdr.TransactionResult | undefined {
  const bumpRejection = bump && findFeeBumpRejection(state, bump)
  if (bumpRejection !== undefined) return rejectedResult(bumpRejection)
  const rejection = findRejection(state, transaction, { closing, isInner: bump !== undefined })
  if (rejection === undefined) return undefined
  return bump === undefined ? rejectedResult(rejection) : innerRejectedResult(rejection, transaction.hash())
}
