import type { Hex } from 'viem'
import { hasOpcode } from '../opcodes/codeBelow.ts'
import { opcodes } from '../opcodes/opcodesIn.ts'
import type { EconomicContext, EconomicJudge } from './economicContext.ts'
import { callIn, differenceOf, outcomeOf } from './outcome.ts'
import { ruleFinding } from './ruleFinding.ts'
import { storedBy } from './storedBy.ts'

/**
 * `USES_TX_ORIGIN`: sent by somebody else, the same redeem does something else. A danger where money or tokens go elsewhere, or
 * where it fails; a warning where only what it writes down is different.
 */
export const usesTxOrigin: EconomicJudge = async (context) => {
  const { call, frame, rerun, creditsContract } = context
  if (call === undefined || !(await hasOpcode(context, [opcodes.origin]))) return []
  const first = outcomeOf(context, { frame, call })
  // Contracts that turn away callers who are no key-held account compare their caller with the sender.
  if (frame.failure !== undefined) {
    const { succeeded } = await rerun({ relayer: creditsContract })
    return succeeded
      ? [uses('danger', 'it goes through only when tx.origin is its caller', letContracts)]
      : []
  }
  const other = await rerun({ relayer: anotherRelayer })
  const seen = outcomeOf(context, { frame: other.frame, call: callIn(context, other.frame) })
  const difference = differenceOf(first, seen)
  if (difference !== undefined) return [uses('danger', `sent by another relayer, ${difference}`)]
  if (first.events.join() !== seen.events.join())
    return [uses('warning', 'sent by another relayer, it emits other events')]
  return (await writesTheSame(context))
    ? []
    : [uses('warning', 'sent by another relayer, it stores something else')]
}

const uses = (severity: 'danger' | 'warning', how: string, fix?: string) =>
  ruleFinding(severity, 'USES_TX_ORIGIN', `The contract reads tx.origin: ${how}.`, fix)

const letContracts =
  'Let contracts buy, too: msg.sender is the credits contract, which is never tx.origin; limit what each receiver may have.'

/** Nobody's: the last bytes of keccak256("another relayer"). */
const anotherRelayer: Hex = '0x36385191a79c757a78ebfbef3ee38fbba1bff5f7'

/** Whether what the contracts store does not depend on the sender. */
async function writesTheSame(context: EconomicContext): Promise<boolean> {
  const [mine, theirs] = await Promise.all([
    storedBy(context, {}),
    storedBy(context, { relayer: anotherRelayer }),
  ])
  return mine === theirs
}
