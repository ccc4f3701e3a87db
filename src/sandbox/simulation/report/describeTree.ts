import type { Abi } from 'viem'
import { describeCall } from '../abi/describeCall.ts'
import { describeLog } from '../abi/describeLog.ts'
import { describeRevert } from '../abi/describeRevert.ts'
import type { CallFrame } from '../redeemReport.ts'
import { reverted } from '../trace/failures.ts'

/**
 * The same calls with what they, their events and their failures say, as far as ABIs and known selectors tell.
 *
 * @param known of the call in which a failure began, when more is known of it
 */
export function describeTree(
  frame: CallFrame,
  abis: readonly Abi[],
  known?: { at: readonly number[]; reason: string },
): CallFrame {
  const [next, ...at] = known?.at ?? []
  return {
    ...frame,
    text: describeCall(frame.input, abis)?.text,
    failure:
      known !== undefined && next === undefined
        ? known.reason
        : frame.failure === reverted
          ? reasonOf(frame, abis)
          : frame.failure,
    logs: frame.logs.map((log) => ({ ...log, text: describeLog(log, abis)?.text })),
    calls: frame.calls.map((call, place) =>
      known !== undefined && place === next
        ? describeTree(call, abis, { ...known, at })
        : describeTree(call, abis),
    ),
  }
}

const reasonOf = ({ output }: CallFrame, abis: readonly Abi[]) =>
  output === '0x' ? 'it reverted without a reason' : describeRevert(output, abis).reason
