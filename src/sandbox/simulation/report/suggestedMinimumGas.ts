import type { CallFrame } from '../redeemReport.ts'

/** What an entry can ask for at most (PROTOCOL.md 6.3). */
const mostMinimumGas = 15_500_000n

/** Gas that an entry for such a call should ask for: what it needs, a fifth more, in whole ten thousands. */
export function suggestedMinimumGas(call: CallFrame): bigint {
  const gas = ((neededBy(call) * 6n) / 5n / 10_000n + 1n) * 10_000n
  return gas < mostMinimumGas ? gas : mostMinimumGas
}

/** A call passes on all but 1/64 of what it has: for one inside to have enough, it must have more than it uses. */
export function neededBy(call: CallFrame): bigint {
  let most = call.gasUsed
  for (const inner of call.calls) {
    const before = call.gas - (inner.gas * 64n) / 63n
    const needed = (before > 0n ? before : 0n) + (neededBy(inner) * 64n) / 63n
    // A call that is made with a fixed limit says nothing of what was left.
    if (needed > most && before < call.gasUsed) most = needed
  }
  return most
}
