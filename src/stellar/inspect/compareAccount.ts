import { Operation } from '@stellar/stellar-sdk'
import { accountOperations } from '../expected/accountOperations.ts'
import { compare, type InspectionContext, type TransactionDetails } from './context.ts'
import { formatOperation } from './formatOperation.ts'
import { parseOperation } from './parseOperation.ts'

/**
 * Holds the operations against those that give a customer without XLM an account: the expected ones, or, where nothing was expected,
 * those for whom the first operation names.
 *
 * @returns whether it is about that at all
 */
export function compareAccount(
  { source, operations }: TransactionDetails,
  context: InspectionContext,
): boolean {
  const { expected, network } = context
  const [first] = operations
  const named = expected === undefined && first?.sponsored
  const creates = operations.some(({ type }) => type === 'createAccount')
  const asked = named ? { from: named, sponsor: first?.source ?? source, creates } : expected
  if (asked === undefined || !('creates' in asked)) return false
  const { from, sponsor = '', creates: isNew } = asked
  const wanted = accountOperations({ from, sponsor, creates: isNew }, network).map((operation) =>
    formatOperation(parseOperation(Operation.fromXDRObject(operation), source), network),
  )
  compare(context, 'EXTRA_OPERATION', 'operations.length', operations.length, wanted.length)
  operations.forEach((operation, index) => {
    const words = formatOperation(operation, network)
    compare(context, 'UNEXPECTED_OPERATION', `operations[${index}]`, words, wanted[index] ?? 'none')
  })
  return true
}
