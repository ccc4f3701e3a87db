import { inspect } from 'redeemkit/evm'

/** What a wallet shows before it signs: one sentence, what a person can do, and each finding. */
export function explain(
  request: { method: string; params: readonly unknown[] },
  expected: inspect.Options, // account, chain, pins, and the purchase or the most that it costs
) {
  const { summary, verdict, findings } = inspect(request, expected)
  const actions = {
    ok: ['sign', 'decline'], // all of it was compared, and agrees
    caution: ['decline', 'sign anyway'], // something was not seen: a person reads and decides
    refuse: ['decline'], // there is no button to sign
  } as const
  return {
    title: summary,
    actions: actions[verdict],
    lines: findings.map(({ severity, message, fix }) => `${severity}: ${message}${fix ? ` ${fix}` : ''}`),
  }
}
