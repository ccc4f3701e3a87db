import { oneLine } from '../../core/errors/oneLine.ts'
import type { Invocation } from '../envelope/parseInvocation.ts'
import type { InspectionContext } from './context.ts'
import { formatCall } from './formatOperation.ts'
import { readTokenCall } from './readTokenCall.ts'

/**
 * Judges calls, with those inside them, for what they are: allowances and destroyed money by their names, and what is not understood
 * as a danger. Where something was expected, the comparison with it has the word; only an allowance is told all the same.
 */
export function inspectCalls(calls: readonly Invocation[], context: InspectionContext): void {
  const { expected, findings, network } = context
  for (const call of calls) {
    const words = readTokenCall(call, network)
    const code = words === undefined ? 'UNKNOWN_OPERATION' : codeOf(call.functionName)
    const message = oneLine(`${formatCall(call, network)}.`)
    const isTold = findings.some((finding) => finding.message === message)
    if (code !== undefined && !isTold && (expected === undefined || code === 'DELEGATE_APPROVAL'))
      findings.push({
        severity: expected === undefined ? 'danger' : 'warning',
        code,
        message,
        field: 'call',
        fix: expected === undefined ? 'Do not sign it, or say what is expected.' : 'Know the spender.',
      })
    inspectCalls(call.subInvocations, context)
  }
}

function codeOf(functionName: string): 'DELEGATE_APPROVAL' | 'EXTRA_TRANSFER' | undefined {
  if (functionName === 'approve') return 'DELEGATE_APPROVAL'
  return functionName.startsWith('burn') ? 'EXTRA_TRANSFER' : undefined
}
