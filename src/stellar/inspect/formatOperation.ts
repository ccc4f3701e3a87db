import { formatAmount } from '../../core/amount/formatAmount.ts'
import type { Invocation } from '../envelope/parseInvocation.ts'
import type { InspectedOperation } from './context.ts'

/** An operation in words. */
export function formatOperation({ type, source, payment, call }: InspectedOperation): string {
  if (payment !== undefined)
    return `Pay ${formatAmount(payment.amount, { decimals: 7 })} of ${payment.asset} from ${source} to ${payment.to}.`
  return call === undefined ? `Do ${type} on ${source}.` : `Call ${formatCall(call)}.`
}

/** A call in words. */
export function formatCall({ contract, functionName, args }: Invocation): string {
  return `${functionName} of ${contract} with ${args.length} arguments`
}
