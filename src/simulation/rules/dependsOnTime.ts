import { hasOpcode } from '../opcodes/codeBelow.ts'
import { opcodes } from '../opcodes/opcodesIn.ts'
import { callIn, differenceOf, outcomeOf } from './outcome.ts'
import type { Judge } from './rule.ts'
import { ruleFinding } from './ruleFinding.ts'

/** `DEPENDS_ON_TIME`: an hour later, as long as a permit lives, the same redeem does something else (PROTOCOL.md 3.4). */
export const dependsOnTime: Judge = async (context) => {
  const { call, frame } = context
  if (call === undefined || !(await hasOpcode(context, [opcodes.timestamp]))) return []
  const later = await context.rerun({ seconds: longestPermit })
  const difference = differenceOf(
    outcomeOf(context, { frame, call }),
    outcomeOf(context, { frame: later.frame, call: callIn(context, later.frame) }),
  )
  if (difference === undefined) return []
  return [ruleFinding('warning', 'DEPENDS_ON_TIME', `An hour later, ${difference}.`)]
}

/** Seconds. */
const longestPermit = 3_600
