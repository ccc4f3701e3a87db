import type { Transaction } from '@stellar/stellar-sdk'
import { parseCall } from '../envelope/parseInvocation.ts'
import type { InspectedOperation } from './context.ts'

/** Reads an operation: a payment or a call with what it moves, those of a sponsored account in words, any other by its name. */
export function parseOperation(
  operation: Transaction['operations'][number],
  transactionSource: string,
): InspectedOperation {
  const { type, source = transactionSource } = operation
  if (operation.type === 'payment') {
    const { asset, destination, amount } = operation
    // The SDK writes amounts as decimal text with exactly 7 places.
    return {
      type,
      source,
      payment: { to: destination, asset: asset.toString(), amount: BigInt(amount.replace('.', '')) },
    }
  }
  if (
    operation.type === 'invokeHostFunction' &&
    operation.func.switch().name === 'hostFunctionTypeInvokeContract'
  )
    return { type, source, call: parseCall(operation.func.invokeContract()) }
  const effect = effectOf(operation, source)
  if (effect === undefined) return { type, source }
  return operation.type === 'beginSponsoringFutureReserves'
    ? { type, source, effect, sponsored: operation.sponsoredId }
    : { type, source, effect }
}

/** What gives a customer without XLM an account, in words that tell all of it. */
function effectOf(operation: Transaction['operations'][number], source: string): string | undefined {
  switch (operation.type) {
    case 'beginSponsoringFutureReserves':
      return `Have ${source} keep the reserves of ${operation.sponsoredId}`
    case 'createAccount':
      return `Create the account ${operation.destination} with ${operation.startingBalance} XLM of ${source}`
    case 'changeTrust':
      return `Let ${source} hold ${operation.line} up to ${operation.limit}`
    case 'endSponsoringFutureReserves':
      return `End what is sponsored for ${source}`
    default:
      return undefined
  }
}
