import { inspect } from 'redeemkit/evm'

/** Shows a signing request in a wallet: a summary, the available actions, and each finding. */
export function explain(
  request: { method: string; params: readonly unknown[] },
  context: inspect.Context, // page, account, chain, pinned shops, and the purchase that the page disclosed
) {
  const { summary, verdict, findings } = inspect(request, context)
  const actions = {
    ok: ['sign', 'decline'], // everything was compared and matches
    caution: ['decline', 'sign anyway'], // something could not be checked: the user decides
    refuse: ['decline'], // no button to sign
  } as const
  return {
    title: summary,
    actions: actions[verdict],
    lines: findings.map(({ severity, message, fix }) => `${severity}: ${message}${fix ? ` ${fix}` : ''}`),
  }
}
