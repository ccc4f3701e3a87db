import { formatEther } from 'viem'
import { coinThatHelps } from '../run/coinThatHelps.ts'
import { failureOf } from '../trace/failureOf.ts'
import { noCoin } from '../trace/failures.ts'
import type { EconomicJudge } from './economicContext.ts'
import { ruleFinding } from './ruleFinding.ts'

/** `NEEDS_NATIVE_COIN`: the call fails, and goes through when it comes with coins. */
export const needsNativeCoin: EconomicJudge = async ({ call, plan, wishes }) => {
  const failure = call && failureOf(call)
  if (failure === undefined) return []
  if (failure.frame.failure === noCoin)
    return [
      ruleFinding(
        'danger',
        'NEEDS_NATIVE_COIN',
        `${failure.frame.from} sends ${formatEther(failure.frame.value)} of the chain's own coin on, and a redeem brings none.`,
      ),
    ]
  // USDC never asks for coins.
  if (wishes.some(({ done, at }) => !done && at.every((place, depth) => failure.at[depth] === place)))
    return []
  const value = await coinThatHelps(plan)
  if (value === undefined) return []
  return [
    ruleFinding(
      'danger',
      'NEEDS_NATIVE_COIN',
      `The call fails without value, and goes through with ${formatEther(value)} of the chain's own coin.`,
    ),
  ]
}
