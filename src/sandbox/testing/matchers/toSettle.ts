import { checkOptions } from '../../../redeemkit/core/checkOptions.ts'
import { InvalidOptionError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { type RuleCode, ruleCatalogue } from '../../simulation/rules/ruleCatalogue.ts'
import { reportMatcher } from './reportMatcher.ts'

/** The redeem goes through, and nobody loses by it: no rule is broken whose finding is a danger, but those that are allowed. */
export const toSettle = reportMatcher(
  'toSettle',
  ({ execution, findings }, options: { allow?: readonly RuleCode[] | undefined } = {}) => {
    checkOptions(options, { allow: 'list?' })
    const { allow = [] } = options
    for (const code of allow) checkCode(code)
    const broken = findings.filter(({ severity, code }) => severity === 'danger' && !allow.includes(code))
    return {
      expected: `settles${allow.length === 0 ? '' : `, ${allow.join(' and ')} allowed`}`,
      problems: [
        ...(execution.succeeded ? [] : [`It reverts: ${execution.reason}`]),
        ...broken.map(({ code, message, fix }) => `${code}: ${message}${fix === undefined ? '' : ` ${fix}`}`),
      ],
    }
  },
)

function checkCode(code: string): void {
  const codes: readonly string[] = ruleCatalogue.map((rule) => rule.code)
  if (!codes.includes(code))
    throw new InvalidOptionError(`There is no rule ${showValue(code)}.`, {
      field: 'allow',
      fix: `There are ${codes.join(', ')}.`,
    })
}
