import { quote } from '../../../redeemkit/evm/findingTexts.ts'
import { networks } from '../../../redeemkit/evm/networks.ts'
import { settlementShapes } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import { brokenRule, type EconomicContext, type EconomicJudge } from './rule.ts'

export const whitelisted: EconomicJudge = (context) => {
  const { entry, execution, redeem, settlement } = context
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
  const where =
    settlementShapes[redeem.shape].does === 'bridge' ? ` on chain ${settlement.bridge.dstChainId}` : ''
  if (entry.allowedSelectors.length === 0)
    return brokenRule(
      'danger',
      'NOT_WHITELISTED',
      `${target}${where} is not on the whitelist of ${quote(creditSeed)}.`,
      `Request an entry: ${requestText(context)}`,
    )
  if (entry.allowedSelectors.includes('any'))
    return brokenRule(
      'danger',
      'SELECTOR_NOT_WHITELISTED',
      `${target}${where} is on the whitelist of ${quote(creditSeed)} with any function. That does not cover ${signature ?? selector}, because its data contains further calls.`,
      `Request an entry for this function: ${requestText(context)}`,
    )
  return brokenRule(
    'danger',
    'SELECTOR_NOT_WHITELISTED',
    `${target}${where} is on the whitelist of ${quote(creditSeed)}, but its function ${signature ?? selector} is not. Allowed: ${entry.allowedSelectors.join(', ')}.`,
    `Call an allowed function, or request an entry: ${requestText(context)}`,
  )
}

function requestText({ redeem, settlement, plan }: EconomicContext): string {
  const { target, selector, signature, shape } = redeem
  // A name may contain a dollar sign, which a shell would expand.
  const named = signature?.includes('$') ? selector : (signature ?? selector)
  const text = named === undefined ? target : `${target} "${named}"`
  const chain = networks.find(({ chainId }) => chainId === plan.chainId)?.blockchain
  const options = [
    ...(chain === undefined ? [] : [`--chain ${chain}`]),
    ...(settlementShapes[shape].does === 'bridge' ? [`--dst-chain ${settlement.bridge.dstChainId}`] : []),
  ]
  return `\`npx redeemkit whitelist request ${[text, ...options].join(' ')}\`. On your own sandbox, use "approve" instead of "request" to allow it immediately.`
}
