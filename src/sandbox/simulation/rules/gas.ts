import type { Hex } from 'viem'
import type { CallFrame } from '../redeemReport.ts'
import { mostTransactionGas } from '../runPlan.ts'
import { failureOf, outOfGas, sameAddress, targetCall, walkFrames } from '../trace/frames.ts'
import { looksAtGas } from './opcodes.ts'
import { differenceOf, outcomeOf, storedBy } from './outcome.ts'
import { type EconomicContext, type EconomicJudge, type Judge, ruleFinding } from './rule.ts'

/**
 * `KEEPS_MONEY_ON_SHORT_GAS`: with gas that the entry allows a relayer to leave, the redeem goes through, and something that
 * happened with enough gas did not. Tried where a call inside gets less than it needs, because only a call can be caught.
 */
export const keepsMoneyOnShortGas: EconomicJudge = async (context) => {
  const { execution, call, entry, pulled } = context
  if (!execution.succeeded || call === undefined || pulled === undefined || pulled === 0n) return []
  // Asked for meanwhile: most look at nothing.
  const looking = looksAtGas(context)
  looking.catch(() => {})
  const levels = levelsOf(context, call)
  const found = await firstDifferent(context, { call, levels, stored: undefined })
  if (found !== undefined) return [keepsMoney(found, entry.minimumGas)]
  if (!(await looking)) return []
  const different = await firstDifferent(context, {
    call,
    levels: [...levels, ...lookedAt(call, entry.minimumGas)],
    stored: await storedBy(context, {}),
  })
  return different === undefined ? [] : [keepsMoney(different, entry.minimumGas)]
}

type Different = { callGas: bigint; what: string }

const keepsMoney = ({ callGas, what }: Different, minimumGas: bigint | undefined) =>
  ruleFinding(
    'danger',
    'KEEPS_MONEY_ON_SHORT_GAS',
    `With ${callGas} gas for the call${minimumGas === undefined ? '' : `, which its entry allows (minimumGas ${minimumGas})`}, it takes the money, and ${what}.`,
  )

async function firstDifferent(
  context: EconomicContext,
  options: { call: CallFrame; levels: readonly bigint[]; stored: string | undefined },
): Promise<Different | undefined> {
  const { levels, ...full } = options
  for (const callGas of levels) {
    const what = await differentWith(context, { callGas, ...full })
    if (what !== undefined) return { callGas, what }
  }
  return undefined
}

/** @param full.stored with enough gas, of a contract that looks how much there is */
async function differentWith(
  context: EconomicContext,
  full: { callGas: bigint; call: CallFrame; stored: string | undefined },
): Promise<string | undefined> {
  const { rerun, creditsContract, settlement } = context
  const { callGas, call, stored } = full
  // A redeem that does the same uses the same gas, unless it looks at it, and most fail altogether.
  const top = await rerun({ callGas, onlyTopCall: true })
  if (!top.succeeded || (stored === undefined && isNear(top.frame.gasUsed, context.frame.gasUsed)))
    return undefined
  const { frame } = await rerun({ callGas })
  const { target, data } = settlement
  const short = targetCall(frame, { creditsContract, target, data })?.frame
  if (short === undefined) return undefined
  const missing = missingIn(short, call)
  if (missing !== undefined || stored === undefined) return missing
  return (
    otherwise(context, { frame, call: short }) ??
    ((await storedBy(context, { callGas })) === stored ? undefined : 'stores something else')
  )
}

/** What moved elsewhere than with enough gas, in words. */
function otherwise(
  context: EconomicContext,
  short: { frame: CallFrame; call: CallFrame },
): string | undefined {
  const { frame, call } = context
  const [full, less] = [outcomeOf(context, { frame, call }), outcomeOf(context, short)]
  return (
    differenceOf(full, less)?.replace(/^it /, '') ??
    (full.events.join() === less.events.join() ? undefined : 'emits other events than with enough gas')
  )
}

/** What a relayer is likely to leave, for a contract that looks how much it is. */
function lookedAt(call: CallFrame, minimumGas = 0n): bigint[] {
  const least = neededBy(call) + restOfRedeem
  return [100n, 120n, 150n, 200n, 300n, 500n, 1_000n, 2_500n]
    .map((percent) => (least * percent) / 100n)
    .filter((level) => level > minimumGas && level < mostTransactionGas / 2n)
}

const isNear = (a: bigint, b: bigint) => a - b < worthNoticing && b - a < worthNoticing
/** Signatures, and what depends on how much gas there is, make a little difference. */
const worthNoticing = 1_000n

/** Gas for the call with which one of the calls inside gets a little less, or half, of what it uses. */
function levelsOf(context: EconomicContext, call: CallFrame): bigint[] {
  const { usdc, creditsContract, entry } = context
  const minimum = entry.minimumGas ?? 0n
  const levels: bigint[] = []
  let isCatching = false
  for (const { frame, at } of walkFrames(call)) {
    // A pull that fails takes no money, and the hooks of the credits contract fail with the redeem.
    if (at.length === 0 || sameAddress(frame.to, usdc) || sameAddress(frame.to, creditsContract)) continue
    isCatching ||= !isInside(at, call, usdc)
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
  // Without calls that can fail, only who looks at the gas does something else with less of it.
  if (!isCatching) return []
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

/** `GAS_ABOVE_LIMIT`: the call needs more gas than an entry can ask for, or a transaction have (PROTOCOL.md 6.3, EIP-7825). */
export const gasAboveLimit: Judge = ({ call, frame, creditsContract }) => {
  if (call === undefined || call.to === creditsContract) return []
  const failure = failureOf(frame)
  // Whoever stops at an invalid opcode leaves no gas either, and needs none.
  if (failure !== undefined && failure.frame.failure !== outOfGas) return []
  const used = call.gasUsed.toLocaleString('en-US')
  if (call.gasUsed <= mostMinimumGas) return []
  const message =
    failure === undefined
      ? `The call uses ${used} gas; an entry can ask for 15,500,000 at most.`
      : `The call has used up the ${used} gas that one transaction can give it.`
  return [ruleFinding('danger', 'GAS_ABOVE_LIMIT', message)]
}

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
