import { inspect } from 'redeemkit/evm'

/** What a wallet shows before it signs: one sentence, a verdict, and each finding with its way out. */
export function explain(request: { method: string; params: readonly unknown[] }, account: `0x${string}`) {
  const { summary, verdict, findings } = inspect(request, { address: account, chainId: 84532 })
  return {
    title: summary,
    mayBeSigned: verdict !== 'refuse',
    lines: findings.map(({ severity, message, fix }) => `${severity}: ${message}${fix ? ` ${fix}` : ''}`),
  }
}
