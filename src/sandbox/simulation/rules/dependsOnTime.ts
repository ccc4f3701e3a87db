import type { Hex } from 'viem'
import { permitMaximumSeconds } from '../../../redeemkit/core/limits.ts'
import { hasOpcode } from '../opcodes/codeBelow.ts'
import { opcodes } from '../opcodes/opcodesIn.ts'
import { callIn, differenceOf, outcomeOf } from './outcome.ts'
import type { Circumstances, Judge, RuleContext } from './rule.ts'
import { ruleFinding } from './ruleFinding.ts'

/**
 * `DEPENDS_ON_TIME`: an hour later, as long as a permit lives, the same redeem does something else (PROTOCOL.md 3.3); or in
 * another block of the same time. That a token's id is drawn by lot is nothing.
 */
export const dependsOnTime: Judge = async (context) => {
  const later = await difference(context, {
    opcodes: ofTime,
    circumstances: [{ seconds: longestPermit }],
    ids: true,
  })
  if (later !== undefined) return [ruleFinding('warning', 'DEPENDS_ON_TIME', `An hour later, ${later}.`)]
  const elsewhere = await difference(context, {
    opcodes: ofBlock,
    circumstances: lots.map((randomness) => ({ randomness })),
    ids: false,
  })
  if (elsewhere === undefined) return []
  return [ruleFinding('warning', 'DEPENDS_ON_TIME', `In another block, ${elsewhere}.`)]
}

const longestPermit = Number(permitMaximumSeconds)
const ofTime = [opcodes.timestamp, opcodes.number, opcodes.blockHash]
const ofBlock = [opcodes.prevRandao, opcodes.coinbase, opcodes.gasLimit, opcodes.baseFee, opcodes.gasPrice]
/** Whoever draws by a remainder draws one thing of an even number, and another of an odd one. */
const lots: readonly Hex[] = [`0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`]

/** What the first of some further runs does otherwise, when a contract has one of the opcodes at all. */
async function difference(
  context: RuleContext,
  options: { opcodes: readonly number[]; circumstances: readonly Circumstances[]; ids: boolean },
): Promise<string | undefined> {
  const { call, frame } = context
  const { ids, circumstances } = options
  if (call === undefined || !(await hasOpcode(context, options.opcodes))) return undefined
  const first = outcomeOf(context, { frame, call }, { ids })
  for (const one of circumstances) {
    const other = await context.rerun(one)
    const seen = outcomeOf(context, { frame: other.frame, call: callIn(context, other.frame) }, { ids })
    const found = differenceOf(first, seen)
    if (found !== undefined) return found
  }
  return undefined
}
