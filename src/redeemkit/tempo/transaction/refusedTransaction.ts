import { RefusedTransactionError } from '../../core/errors/transactionErrors.ts'
import type { Finding } from '../../core/finding/finding.ts'

/** The error for a Tempo transaction that does something else than was asked. Nothing was signed. */
export function refusedTransaction(findings: readonly Finding[], message?: string): RefusedTransactionError {
  const dangers = findings.filter((finding) => finding.severity === 'danger')
  return new RefusedTransactionError(message ?? dangers.map((finding) => finding.message).join(' '), {
    field: dangers[0]?.field ?? 'transaction',
    fix: 'Do not sign it; ask for the transaction again.',
    docs: 'Tempo Transactions',
    findings,
  })
}
