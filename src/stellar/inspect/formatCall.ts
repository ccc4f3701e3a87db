import type { Invocation } from '../envelope/parseInvocation.ts'

/** A call in words. */
export function formatCall({ contract, functionName, args }: Invocation): string {
  return `${functionName} of ${contract} with ${args.length} arguments`
}
