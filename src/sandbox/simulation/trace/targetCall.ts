import type { Hex } from 'viem'
import type { CallFrame } from '../redeemReport.ts'
import { sameAddress } from './sameAddress.ts'

/** The call that a redeem is for: by the credits contract, of the target, with its data. */
export function targetCall(
  root: CallFrame,
  options: { creditsContract: Hex; target: Hex; data: Hex },
): { frame: CallFrame; place: number } | undefined {
  const { creditsContract, target, data } = options
  const place = root.calls.findIndex(
    ({ type, from, to, input }) =>
      type === 'CALL' &&
      sameAddress(from, creditsContract) &&
      sameAddress(to, target) &&
      // the input of a report may be cut
      data.toLowerCase().startsWith(input.toLowerCase()),
  )
  const frame = root.calls[place]
  return frame && { frame, place }
}
