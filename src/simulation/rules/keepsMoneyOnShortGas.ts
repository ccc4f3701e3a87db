import type { Hex } from 'viem'
import type { CallFrame } from '../redeemReport.ts'
import { neededBy } from '../report/suggestedMinimumGas.ts'
import { sameAddress } from '../trace/sameAddress.ts'
import { targetCall } from '../trace/targetCall.ts'
import { walkFrames } from '../trace/walkFrames.ts'
import type { EconomicContext, EconomicJudge } from './economicContext.ts'
import { ruleFinding } from './ruleFinding.ts'

/**
 * `KEEPS_MONEY_ON_SHORT_GAS`: with gas that the entry allows a relayer to leave, the redeem goes through, and something that
 * happened with enough gas did not. Tried where a call inside gets less than it needs, because only a call can be caught.
 */
export const keepsMoneyOnShortGas: EconomicJudge = async (context) => {
  const { execution, call, entry, pulled, rerun, creditsContract, settlement } = context
  if (!execution.succeeded || call === undefined || pulled === undefined || pulled === 0n) return []
  for (const callGas of levelsOf(context, call)) {
    // A redeem that does the same uses the same gas, and most fail altogether.
    const top = await rerun({ callGas, onlyTopCall: true })
    if (!top.succeeded || isNear(top.frame.gasUsed, context.frame.gasUsed)) continue
    const { frame } = await rerun({ callGas })
    const { target, data } = settlement
    const short = targetCall(frame, { creditsContract, target, data })?.frame
    const missing = short && missingIn(short, call)
    if (missing === undefined) continue
    return [
      ruleFinding(
        'danger',
        'KEEPS_MONEY_ON_SHORT_GAS',
        `With ${callGas} gas for the call${entry.minimumGas === undefined ? '' : `, which its entry allows (minimumGas ${entry.minimumGas})`}, it takes the money, and ${missing}.`,
      ),
    ]
  }
  return []
}

const isNear = (a: bigint, b: bigint) => a - b < worthNoticing && b - a < worthNoticing
/** Signatures, and what depends on how much gas there is, make a little difference. */
const worthNoticing = 1_000n

/** Gas for the call with which one of the calls inside gets a little less, or half, of what it uses. */
function levelsOf(context: EconomicContext, call: CallFrame): bigint[] {
  const { usdc, creditsContract, entry } = context
  const minimum = entry.minimumGas ?? 0n
  const levels: bigint[] = []
  for (const { frame, at } of walkFrames(call)) {
    // A pull that fails takes no money, and the hooks of the credits contract fail with the redeem.
    if (at.length === 0 || sameAddress(frame.to, usdc) || sameAddress(frame.to, creditsContract)) continue
    if (frame.type === 'STATICCALL' || frame.gasUsed < worthCatching) continue
    if (isInside(at, call, usdc)) continue
    const needed = neededFor(call, at)
    for (const share of [95n, 60n, 30n]) {
      const level = needed((frame.gasUsed * share) / 100n)
      if (level >= minimum) levels.push(level)
    }
    // With the least that the entry allows, when a call then gets less than it uses.
    if (needed(frame.gasUsed) > minimum && minimum > 0n) levels.push(minimum + 1n)
  }
  // And little more than it needs: it can look at the gas that it has.
  const least = neededBy(call) + restOfRedeem
  return [...new Set([...levels.slice(0, mostLevels), least > minimum ? least : minimum + 1n])]
}

/** More than what the credits contract does after the call. */
const restOfRedeem = 40_000n

/** What uses less is done with what 1/64 leaves over, or is no delivery. */
const worthCatching = 5_000n
const mostLevels = 12

/** Whether it is a call that USDC makes, such as that of its implementation. */
function isInside(at: readonly number[], call: CallFrame, usdc: Hex): boolean {
  let frame: CallFrame | undefined = call
  for (const place of at) {
    frame = frame?.calls[place]
    if (sameAddress(frame?.to, usdc)) return true
  }
  return false
}

/** How much gas the call must have for one inside of it to get so much: each call passes on all but 1/64 of what is left. */
function neededFor(call: CallFrame, at: readonly number[]): (gas: bigint) => bigint {
  const spent: bigint[] = []
  let frame: CallFrame | undefined = call
  for (const place of at) {
    const inner: CallFrame | undefined = frame?.calls[place]
    if (frame === undefined || inner === undefined) break
    spent.push(frame.gas - (inner.gas * 64n) / 63n)
    frame = inner
  }
  return (gas) => spent.reduceRight((inner, before) => (inner * 64n) / 63n + (before > 0n ? before : 0n), gas)
}

/** What is not as with enough gas, in words. */
function missingIn(short: CallFrame, full: CallFrame): string | undefined {
  const [ours, theirs] = [outlineOf(short), outlineOf(full)]
  const failed = ours.find(
    ({ failure }, place) => failure !== undefined && theirs[place]?.failure === undefined,
  )
  if (failed !== undefined) return `its call of ${failed.to ?? 'a new contract'} fails: ${failed.failure}`
  if (ours.length < theirs.length) return 'makes fewer calls than with enough gas'
  const logs = (outline: typeof ours) => outline.reduce((sum, frame) => sum + frame.logs, 0)
  if (logs(ours) < logs(theirs)) return 'emits fewer events than with enough gas'
  return short.gasUsed + worthCatching <= full.gasUsed
    ? `does less: it uses ${short.gasUsed} gas, and ${full.gasUsed} with enough`
    : undefined
}

function outlineOf(call: CallFrame): { to: Hex | undefined; failure: string | undefined; logs: number }[] {
  return [...walkFrames(call)].map(({ frame }) => ({
    to: frame.to,
    failure: frame.failure,
    logs: frame.logs.length,
  }))
}
