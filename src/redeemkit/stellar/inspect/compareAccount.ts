import { Operation } from '@stellar/stellar-sdk'
import { accountOperations } from '../expected/accountOperations.ts'
import { compare, type InspectionContext, type TransactionDetails } from './context.ts'
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
  const wanted = accountOperations({ from, sponsor, creates: isNew }, network)
  compare(context, 'EXTRA_OPERATION', 'operations.length', operations.length, wanted.length)
  operations.forEach(({ type, effect = type }, index) => {
    // An effect tells all of its operation; of another operation there is none.
    const right = wanted[index] && parseOperation(Operation.fromXDRObject(wanted[index]), source).effect
    compare(context, 'UNEXPECTED_OPERATION', `operations[${index}]`, effect, right ?? 'none')
  })
  return true
}
