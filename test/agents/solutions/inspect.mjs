import { disclosedIntentOf, inspect } from 'redeemkit/evm'

export function judge({ request, account, chainId, origin, shop, now }) {
  const intent = disclosedIntentOf(request)
  const { verdict } = inspect(request, { address: account, chainId, origin, pinned: [shop], intent, now })
  return { ok: 'sign', caution: 'ask', refuse: 'refuse' }[verdict]
}
