import { quote } from '../../../redeemkit/evm/findingTexts.ts'
import { networks } from '../../../redeemkit/evm/networks.ts'
import { settlementShapes } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import { danger, type Judge, type RuleContext } from './rule.ts'

export const whitelisted: Judge = (context) => {
  const { entry, execution, redeem, settlement } = context
  const { target, selector, signature, creditSeed } = redeem
  const failed = !execution.succeeded && execution.at.length === 0 ? execution : undefined
  if (failed?.error === 'NftContractNotWhitelisted')
    return danger('NOT_WHITELISTED', `The NFT contract is not whitelisted: ${failed.reason}.`, failed.fix)
  if (failed?.error === 'ForbiddenSelector')
    return danger(
      'SELECTOR_NOT_WHITELISTED',
      `No entry can allow ${signature ?? selector ?? 'a call without a selector'}: it is ${entry.forbidden}.`,
      failed.fix,
    )
  if (entry.forbidden !== undefined)
    return danger(
      'NOT_WHITELISTED',
      `No entry can allow ${target}: it is ${entry.forbidden}.`,
      execution.succeeded ? undefined : execution.fix,
    )
  if (!entry.isNeeded || entry.isAllowed) return []
  const where =
    settlementShapes[redeem.shape].does === 'bridge' ? ` on chain ${settlement.bridge.dstChainId}` : ''
  if (entry.allowedSelectors.length === 0)
    return danger(
      'NOT_WHITELISTED',
      `${target}${where} is not on the whitelist of ${quote(creditSeed)}.`,
      `Request an entry: ${requestText(context)}`,
    )
  if (entry.allowedSelectors.includes('any'))
    return danger(
      'SELECTOR_NOT_WHITELISTED',
      `${target}${where} is on the whitelist of ${quote(creditSeed)} with any function. That does not cover ${signature ?? selector}, because its data contains further calls.`,
      `Request an entry for this function: ${requestText(context)}`,
    )
  return danger(
    'SELECTOR_NOT_WHITELISTED',
    `${target}${where} is on the whitelist of ${quote(creditSeed)}, but its function ${signature ?? selector} is not. Allowed: ${entry.allowedSelectors.join(', ')}.`,
    `Call an allowed function, or request an entry: ${requestText(context)}`,
  )
}

function requestText({ redeem, settlement, plan }: RuleContext): string {
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
