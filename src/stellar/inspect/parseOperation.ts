import type { Transaction } from '@stellar/stellar-sdk'
import { parseCall } from '../envelope/parseInvocation.ts'
import type { InspectedOperation } from './context.ts'

/** Reads an operation: a payment or a call with what it moves, any other by its name. */
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
  return { type, source }
}
