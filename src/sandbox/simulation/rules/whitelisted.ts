import { quote } from '../../../redeemkit/evm/findingTexts.ts'
import type { ReportedRedeem } from '../redeemReport.ts'
import { brokenRule, type EconomicJudge } from './rule.ts'

/** `NOT_WHITELISTED`, `SELECTOR_NOT_WHITELISTED`. */
export const whitelisted: EconomicJudge = ({ entry, execution, redeem }) => {
  const { target, selector, signature, creditSeed } = redeem
  if (!execution.succeeded && execution.at.length === 0 && execution.error === 'NftContractNotWhitelisted')
    return brokenRule(
      'danger',
      'NOT_WHITELISTED',
      `The NFT contract is not whitelisted: ${execution.reason}.`,
      execution.fix,
    )
  if (!execution.succeeded && execution.at.length === 0 && execution.error === 'ForbiddenSelector')
    return brokenRule(
      'danger',
      'SELECTOR_NOT_WHITELISTED',
      `No entry can allow ${signature ?? selector ?? 'a call without a selector'}: it is ${entry.forbidden}.`,
      execution.fix,
    )
  if (entry.forbidden !== undefined)
    return brokenRule(
      'danger',
      'NOT_WHITELISTED',
      `No entry can allow ${target}: it is ${entry.forbidden}.`,
      execution.succeeded ? undefined : execution.fix,
    )
  if (!entry.isNeeded || entry.isAllowed) return []
  if (entry.allowedSelectors.length === 0)
    return brokenRule(
      'danger',
      'NOT_WHITELISTED',
      `${target} is not on the whitelist of ${quote(creditSeed)}.`,
      requestText(redeem),
    )
  return brokenRule(
    'danger',
    'SELECTOR_NOT_WHITELISTED',
    `${target} is on the whitelist of ${quote(creditSeed)}, but its function ${signature ?? selector} is not. Allowed: ${entry.allowedSelectors.join(', ')}.`,
    `Call an allowed function. ${requestText(redeem)}`,
  )
}

function requestText({ target, selector, signature }: ReportedRedeem): string {
  // A name may contain a dollar sign, which a shell would expand.
  const named = signature?.includes('$') ? selector : (signature ?? selector)
  const text = named === undefined ? target : `${target} "${named}"`
  return `Request an entry: \`npx redeemkit whitelist request ${text}\`. On your own sandbox, use "approve" instead of "request" to allow it immediately.`
}
