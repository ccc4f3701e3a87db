import { callIn, differenceOf, outcomeOf } from './outcome.ts'
import type { Judge } from './rule.ts'
import { ruleFinding } from './ruleFinding.ts'

/**
 * `DIFFERS_ON_SECOND_CALL`: after it was done once, the same redeem does something else. That the second token has another id is
 * nothing, and a token that was named by its id can be sold once only.
 */
export const differsOnSecondCall: Judge = async (context) => {
  const { call, frame, redeem } = context
  if (call === undefined || frame.failure !== undefined || redeem.shape === 'knownTokenId') return []
  const second = await context.rerun({ second: true })
  const ids = { ids: false }
  const difference = differenceOf(
    outcomeOf(context, { frame, call }, ids),
    outcomeOf(context, { frame: second.frame, call: callIn(context, second.frame) }, ids),
  )
  if (difference === undefined) return []
  return [ruleFinding('warning', 'DIFFERS_ON_SECOND_CALL', `Bought a second time, ${difference}.`)]
}
