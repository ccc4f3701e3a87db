import type { Hex } from 'viem'
import { greatest, least } from '../../../redeemkit/core/amount.ts'
import { mostMinimumGas, mostTransactionGas } from '../../../redeemkit/core/limits.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import type { CallFrame } from '../redeemReport.ts'
import { failureOf, outOfGas, pathTo, targetCall, walkFrames } from '../trace/frames.ts'
import { readsGasLeft } from './opcodes.ts'
import { differenceOf, outcomeOf, storedBy } from './outcome.ts'
import { danger, type Judge, type RuleContext, ruleFinding, warning } from './rule.ts'

/**
 * `KEEPS_MONEY_ON_SHORT_GAS`: with gas that the entry allows, the redeem succeeds but omits something. Simulates amounts that are too
 * little for an inner call, because a contract can catch only failures of inner calls.
 */
export const keepsMoneyOnShortGas: Judge = async (context) => {
  const { execution, call, entry, pulled } = context
  if (!execution.succeeded || call === undefined || pulled === undefined || pulled === 0n) return []
  // Started early, although most contracts do not read the remaining gas.
  const readsGas = readsGasLeft(context)
  readsGas.catch(() => {})
  const levels = levelsOf(context, call)
  const found = await firstDifferent(context, { call, levels, stored: undefined })
  if (found !== undefined) return [keepsMoney(found, entry.minimumGas)]
  if (!(await readsGas)) return []
  const different = await firstDifferent(context, {
    call,
    levels: [...levels, ...likelyGasLevels(call, entry.minimumGas)],
    stored: await storedBy(context, {}),
  })
  return different === undefined ? [] : [keepsMoney(different, entry.minimumGas)]
}

type Different = { callGas: bigint; what: string }

const keepsMoney = ({ callGas, what }: Different, minimumGas: bigint | undefined) =>
  ruleFinding(
    'danger',
    'KEEPS_MONEY_ON_SHORT_GAS',
    `With ${callGas} gas for the call${minimumGas === undefined ? '' : `, which its entry allows (minimumGas ${minimumGas})`}, the contract takes the money but ${what}.`,
  )

async function firstDifferent(
  context: RuleContext,
  options: { call: CallFrame; levels: readonly bigint[]; stored: string | undefined },
): Promise<Different | undefined> {
  const { levels, ...full } = options
  for (const callGas of levels) {
    const what = await differentWith(context, { callGas, ...full })
    if (what !== undefined) return { callGas, what }
  }
  return undefined
}

/** `full.stored`: what the redeem stores with enough gas, if the contract reads the remaining gas. */
async function differentWith(
  context: RuleContext,
  full: { callGas: bigint; call: CallFrame; stored: string | undefined },
): Promise<string | undefined> {
  const { rerun } = context
  const { callGas, call, stored } = full
  // A redeem with the same effects uses the same gas, unless it reads the remaining gas. Most redeems fail with too little gas.
  const top = await rerun({ callGas, onlyTopCall: true })
  if (!top.succeeded || (stored === undefined && isNear(top.frame.gasUsed, context.frame.gasUsed)))
    return undefined
  const { frame } = await rerun({ callGas })
  const short = targetCall(frame, context)?.frame
  if (short === undefined) return undefined
  const missing = missingIn(short, call)
  if (missing !== undefined || stored === undefined) return missing
  return (
    otherwise(context, { frame, call: short }) ??
    ((await storedBy(context, { callGas })) === stored ? undefined : 'stores different values')
  )
}

function otherwise(context: RuleContext, short: { frame: CallFrame; call: CallFrame }): string | undefined {
  const { frame, call } = context
  const [full, less] = [outcomeOf(context, { frame, call }), outcomeOf(context, short)]
  return (
    differenceOf(full, less)?.replace(/^it /, '') ??
    (full.events.join() === less.events.join() ? undefined : 'emits different events than with enough gas')
  )
}

function likelyGasLevels(call: CallFrame, minimumGas = 0n): bigint[] {
  const needed = neededBy(call) + restOfRedeem
  return [100n, 120n, 150n, 200n, 300n, 500n, 1_000n, 2_500n]
    .map((percent) => (needed * percent) / 100n)
    .filter((level) => level > minimumGas && level < mostTransactionGas / 2n)
}

const isNear = (a: bigint, b: bigint) => a - b < worthNoticing && b - a < worthNoticing
/** Smaller differences in gas are ignored: signatures, and code that depends on gas, can cause them. */
const worthNoticing = 1_000n

/** Gas for the call, chosen so that one inner call gets slightly less, or only half, of the gas that it uses. */
function levelsOf(context: RuleContext, call: CallFrame): bigint[] {
  const { usdc, creditsContract, entry } = context
  const minimum = entry.minimumGas ?? 0n
  const levels: bigint[] = []
  let isCatching = false
  for (const { frame, at } of walkFrames(call)) {
    // Skips these calls: a failed USDC pull takes no money, and a failed hook of the credits contract reverts the redeem.
    if (at.length === 0 || isInside(at, call, usdc) || sameHex(frame.to, creditsContract)) continue
    isCatching = true
    if (frame.type === 'STATICCALL' || frame.gasUsed < worthCatching) continue
    const needed = neededFor(call, at)
    for (const share of [95n, 60n, 30n]) {
      const level = needed((frame.gasUsed * share) / 100n)
      if (level >= minimum) levels.push(level)
    }
    // Also simulates the entry's minimum, if the inner call then gets too little gas.
    if (needed(frame.gasUsed) > minimum && minimum > 0n) levels.push(minimum + 1n)
  }
  // Without inner calls that can fail, only a contract that reads the remaining gas behaves differently.
  if (!isCatching) return []
  const enough = neededBy(call) + restOfRedeem
  return [...new Set([...levels.slice(0, mostLevels), greatest(enough, minimum + 1n)])]
}

/** More gas than the credits contract uses after the call. */
const restOfRedeem = 40_000n

/** Inner calls that use less gas are not tested: the reserved 1/64 is enough for them, or they deliver nothing. */
const worthCatching = 5_000n
const mostLevels = 12

/** Whether a call is part of a call to USDC. Includes calls that USDC makes, such as to its implementation. */
const isInside = (at: readonly number[], call: CallFrame, usdc: Hex) =>
  pathTo(call, at)
    .slice(1)
    .some(({ to }) => sameHex(to, usdc))

/** The gas that the call needs so that the inner call gets a given amount. Each call forwards all but 1/64 of its gas. */
function neededFor(call: CallFrame, at: readonly number[]): (gas: bigint) => bigint {
  let outer = call
  const spent: bigint[] = []
  for (const inner of pathTo(call, at).slice(1)) {
    spent.push(greatest(outer.gas - (inner.gas * 64n) / 63n, 0n))
    outer = inner
  }
  return (gas) => spent.reduceRight((inner, before) => (inner * 64n) / 63n + before, gas)
}

function missingIn(short: CallFrame, full: CallFrame): string | undefined {
  const [ours, theirs] = [outlineOf(short), outlineOf(full)]
  const failed = ours.find(
    ({ failure }, place) => failure !== undefined && theirs[place]?.failure === undefined,
  )
  if (failed !== undefined) return `its call to ${failed.to ?? 'a new contract'} fails: ${failed.failure}`
  if (ours.length < theirs.length) return 'makes fewer calls than with enough gas'
  const logs = (outline: typeof ours) => outline.reduce((sum, frame) => sum + frame.logs, 0)
  if (logs(ours) < logs(theirs)) return 'emits fewer events than with enough gas'
  return short.gasUsed + worthCatching <= full.gasUsed
    ? `does less: it uses ${short.gasUsed} gas instead of ${full.gasUsed}`
    : undefined
}

function outlineOf(call: CallFrame): { to: Hex | undefined; failure: string | undefined; logs: number }[] {
  return [...walkFrames(call)].map(({ frame }) => ({
    to: frame.to,
    failure: frame.failure,
    logs: frame.logs.length,
  }))
}

/** `GAS_ABOVE_LIMIT`: the call needs more gas than an entry can require, or than a transaction can have (PROTOCOL.md 6.3, EIP-7825). */
export const gasAboveLimit: Judge = ({ call, frame, creditsContract }) => {
  if (call === undefined || call.to === creditsContract) return []
  const failure = failureOf(frame)
  // An invalid opcode also consumes all gas, but needs none.
  if (failure !== undefined && failure.frame.failure !== outOfGas) return []
  const used = call.gasUsed.toLocaleString('en-US')
  if (call.gasUsed <= mostMinimumGas) return []
  return failure === undefined
    ? warning(
        'GAS_ABOVE_LIMIT',
        `The call uses ${used} gas; an entry can require at most ${mostMinimumGas.toLocaleString('en-US')}. If the call gets less than it uses, the redeem fails.`,
      )
    : danger('GAS_ABOVE_LIMIT', `The call used all of the ${used} gas that one transaction can provide.`)
}

/** The gas that the call needs plus a fifth, rounded up to the next 10,000. `undefined` if an entry cannot require that much. */
export function suggestedMinimumGas(call: CallFrame): bigint | undefined {
  const needed = neededBy(call)
  if (needed > mostMinimumGas) return undefined
  return least(((needed * 6n) / 5n / 10_000n + 1n) * 10_000n, mostMinimumGas)
}

/** A call forwards all but 1/64 of its gas, so an inner call may require more gas than the outer call uses. */
function neededBy(call: CallFrame): bigint {
  let most = call.gasUsed
  for (const inner of call.calls) {
    const before = call.gas - (inner.gas * 64n) / 63n
    const needed = greatest(before, 0n) + (neededBy(inner) * 64n) / 63n
    // A call with a fixed gas limit does not show how much gas remains.
    if (before < call.gasUsed) most = greatest(most, needed)
  }
  return most
}
