import { inspect } from 'redeemkit/evm'

export function judge({ request, account, chainId, shop, now }) {
  const { verdict } = inspect(request, { address: account, chainId, receiver: shop, mostCents: 2_500, now })
  return { ok: 'sign', caution: 'ask', refuse: 'refuse' }[verdict]
}
