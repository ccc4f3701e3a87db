import type { Transaction } from '@stellar/stellar-sdk'
import { formatAmount } from '../../core/amount/formatAmount.ts'
import { parseCall } from '../envelope/parseInvocation.ts'
import type { InspectedOperation } from './context.ts'
import { formatCall } from './formatCall.ts'

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

/** An operation in words. */
export function formatOperation({ type, source, payment, call }: InspectedOperation): string {
  if (payment !== undefined)
    return `Pay ${formatAmount(payment.amount, { decimals: 7 })} of ${payment.asset} from ${source} to ${payment.to}.`
  return call === undefined ? `Do ${type} on ${source}.` : `Call ${formatCall(call)}.`
}
