import { quote } from '../../evm/finding/words.ts'
import type { EconomicJudge } from './economicContext.ts'
import { ruleFinding } from './ruleFinding.ts'

/** `NOT_WHITELISTED`, `SELECTOR_NOT_WHITELISTED`. */
export const whitelisted: EconomicJudge = ({ entry, execution, redeem }) => {
  const { target, selector, signature, creditSeed } = redeem
  if (!execution.succeeded && execution.at.length === 0 && execution.error === 'NftContractNotWhitelisted')
    return [
      ruleFinding(
        'danger',
        'NOT_WHITELISTED',
        `The NFT contract is on no whitelist: ${execution.reason}.`,
        execution.fix,
      ),
    ]
  if (!execution.succeeded && execution.at.length === 0 && execution.error === 'ForbiddenSelector')
    return [
      ruleFinding(
        'danger',
        'SELECTOR_NOT_WHITELISTED',
        `No entry can allow ${signature ?? selector ?? 'a call without a selector'}: it is ${entry.forbidden}.`,
        execution.fix,
      ),
    ]
  if (entry.forbidden !== undefined)
    return [
      ruleFinding('danger', 'NOT_WHITELISTED', `No entry can allow ${target}: it is ${entry.forbidden}.`),
    ]
  if (!entry.isNeeded || entry.isAllowed) return []
  if (entry.allowedSelectors.length === 0)
    return [
      ruleFinding('danger', 'NOT_WHITELISTED', `${target} is not on the whitelist of ${quote(creditSeed)}.`),
    ]
  return [
    ruleFinding(
      'danger',
      'SELECTOR_NOT_WHITELISTED',
      `${target} is on the whitelist of ${quote(creditSeed)}, but not its function ${signature ?? selector}. Allowed: ${entry.allowedSelectors.join(', ')}.`,
    ),
  ]
}
