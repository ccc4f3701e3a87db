import { type Abi, encodeErrorResult } from 'viem'
import { reportMatcher } from './reportMatcher.ts'

/**
 * An error by its name (`SoldOut`), the text of a `require`, a pattern of the whole reason, or an error with its arguments, by
 * the ABI that has it.
 */
export type ExpectedRevert =
  | string
  | RegExp
  | { abi: readonly unknown[]; errorName: string; args?: readonly unknown[] | undefined }

/** The redeem is reverted, for this reason. */
export const toRevertWith = reportMatcher('toRevertWith', ({ execution }, expected: ExpectedRevert) => ({
  expected: `reverts with ${show(expected)}`,
  problems: execution.succeeded
    ? ['It goes through.']
    : isThis(execution, expected)
      ? []
      : [`It reverts with ${execution.error === undefined ? '' : `${execution.error}, `}${execution.reason}`],
}))

function show(expected: ExpectedRevert): string {
  if (typeof expected === 'string' || expected instanceof RegExp) return String(expected)
  const { errorName, args = [] } = expected
  return `${errorName}(${args.map(String).join(', ')})`
}

function isThis(
  { error, reason, data }: { error: string | undefined; reason: string; data: string },
  expected: ExpectedRevert,
): boolean {
  if (expected instanceof RegExp) return expected.test(reason)
  if (typeof expected === 'string') return error === expected || reason === expected
  const { abi, errorName, args = [] } = expected
  // viem's own check says what of them does not fit.
  // An ABI that was read from a file has no types; viem looks at what it uses.
  return encodeErrorResult({ abi: abi as Abi, errorName, args }) === data
}
