import { quote } from '../../../redeemkit/evm/finding/words.ts'
import type { ReportedRedeem } from '../redeemReport.ts'
import { type EconomicJudge, ruleFinding } from './rule.ts'

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
      ruleFinding(
        'danger',
        'NOT_WHITELISTED',
        `${target} is not on the whitelist of ${quote(creditSeed)}.`,
        requestWords(redeem),
      ),
    ]
  return [
    ruleFinding(
      'danger',
      'SELECTOR_NOT_WHITELISTED',
      `${target} is on the whitelist of ${quote(creditSeed)}, but not its function ${signature ?? selector}. Allowed: ${entry.allowedSelectors.join(', ')}.`,
      `Call an allowed function. ${requestWords(redeem)}`,
    ),
  ]
}

/** The command as it can be typed. */
function requestWords({ target, selector, signature }: ReportedRedeem): string {
  // A dollar sign, which a name may have, means something else to a shell.
  const named = signature?.includes('$') ? selector : (signature ?? selector)
  const words = named === undefined ? target : `${target} "${named}"`
  return `Ask for an entry: \`npx redeemkit whitelist request ${words}\`; on a sandbox of your own, "approve" in place of "request" allows it at once.`
}
