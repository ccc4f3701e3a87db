import { formatAmount } from '../../core/amount/formatAmount.ts'
import { showText } from '../../core/errors/showText.ts'
import type { Invocation } from '../envelope/parseInvocation.ts'
import type { StellarNetwork } from '../networks.ts'
import type { InspectedOperation } from './context.ts'
import { readTokenCall } from './readTokenCall.ts'

/** An operation in words. */
export function formatOperation(
  { type, source, payment, call, effect }: InspectedOperation,
  network: StellarNetwork,
): string {
  if (payment !== undefined)
    return `Pay ${formatAmount(payment.amount, { decimals: 7 })} of ${payment.asset} from ${source} to ${payment.to}.`
  if (call !== undefined) return `${formatCall(call, network)}.`
  return `${effect ?? `Do ${type} on ${source}`}.`
}

/** A call in words, with the calls inside it. */
export function formatCall(call: Invocation, network: StellarNetwork): string {
  const { contract, functionName, args, subInvocations } = call
  const words =
    readTokenCall(call, network) ??
    `Call ${showName(functionName)} of ${contract} with ${args.length} arguments`
  const inside = subInvocations.map((inner) => formatCall(inner, network))
  return inside.length === 0 ? words : `${words} (${inside.join('; ')})`
}

/** What is no name of a function is shown as somebody's text. */
const showName = (name: string) => (/^\w+$/.test(name) ? name : showText(name))
