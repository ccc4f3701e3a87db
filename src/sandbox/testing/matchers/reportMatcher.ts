import { InvalidOptionError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import type { RedeemReport } from '../../simulation/redeemReport.ts'
import { formatReport } from '../../simulation/text/formatReport.ts'

/** What a matcher of Vitest or Jest returns. */
export type MatcherResult = { pass: boolean; message: () => string }

/** What was looked for, and the lines that say why it is not there; none when it is. */
export type Judgement = { expected: string; problems: readonly string[] }

/**
 * Makes a matcher of a judgement on a report: for a report, and for a promise of one, which has to be awaited.
 *
 * @throws {@link InvalidOptionError} when it is given something else
 */
export function reportMatcher<args extends readonly unknown[]>(
  name: string,
  judge: (report: RedeemReport, ...args: args) => Judgement,
): (received: unknown, ...args: args) => MatcherResult | Promise<MatcherResult> {
  const match = (received: unknown, args: args): MatcherResult => {
    if (!isReport(received))
      throw new InvalidOptionError(`expect(…).${name} was given ${showValue(received)}, and no report.`, {
        field: 'received',
        fix: 'Give what simulateRedeem or redeem of a fork returned.',
      })
    const { expected, problems } = judge(received, ...args)
    const pass = problems.length === 0
    return {
      pass,
      message: () =>
        [
          pass ? `The redeem ${expected}, which was not expected.` : `Expected that the redeem ${expected}:`,
          ...problems.map((problem) => `  ${problem}`),
          '',
          formatReport(received, { columns: 100, colour: false }),
        ].join('\n'),
    }
  }
  return (received, ...args) =>
    received instanceof Promise ? received.then((report) => match(report, args)) : match(received, args)
}

function isReport(value: unknown): value is RedeemReport {
  const { execution, findings, callTree } = Object(value) as Record<string, unknown> // looked at only
  return Object(execution) === execution && Array.isArray(findings) && Object(callTree) === callTree
}
