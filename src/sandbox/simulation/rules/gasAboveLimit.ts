import { failureOf } from '../trace/failureOf.ts'
import { outOfGas } from '../trace/failures.ts'
import type { Judge } from './rule.ts'
import { ruleFinding } from './ruleFinding.ts'

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

/** `MAX_MINIMUM_GAS` of the credits contract. */
const mostMinimumGas = 15_500_000n
