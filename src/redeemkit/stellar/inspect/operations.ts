import type { Transaction } from '@stellar/stellar-sdk'
import { parseCall } from '../envelope/authEntry.ts'
import { stroopsOf } from '../values.ts'
import type { InspectedOperation } from './context.ts'

/**
 * Reads an operation. Returns amounts for a payment or a call, a description for an operation that opens a sponsored account, and only the
 * name for any other operation.
 */
export function parseOperation(
  operation: Transaction['operations'][number],
  transactionSource: string,
): InspectedOperation {
  const { type, source = transactionSource } = operation
  if (operation.type === 'payment') {
    const { asset, destination: to, amount } = operation
    return { type, source, payment: { to, asset: asset.toString(), amount: stroopsOf(amount) } }
  }
  if (
    operation.type === 'invokeHostFunction' &&
    operation.func.switch().name === 'hostFunctionTypeInvokeContract'
  )
    return { type, source, call: parseCall(operation.func.invokeContract()) }
  const effect = effectOf(operation, source)
  return effect === undefined ? { type, source } : { type, source, effect }
}

function effectOf(operation: Transaction['operations'][number], source: string): string | undefined {
  switch (operation.type) {
    case 'beginSponsoringFutureReserves':
      return `Makes ${source} pay the reserves of ${operation.sponsoredId}`
    case 'createAccount':
      return `Creates the account ${operation.destination} with ${operation.startingBalance} XLM of ${source}`
    case 'changeTrust':
      return `Lets ${source} hold ${operation.line} up to ${operation.limit}`
    case 'endSponsoringFutureReserves':
      return `Ends the sponsorship for ${source}`
    default:
      return undefined
  }
}
