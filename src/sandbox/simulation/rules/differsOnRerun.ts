import type { Hex } from 'viem'
import type { Circumstances } from '../runPlan.ts'
import { hasOpcode, opcodes } from './opcodes.ts'
import { callIn, differenceOf, outcomeOf, storedBy } from './outcome.ts'
import {
  type EconomicContext,
  type EconomicJudge,
  type Judge,
  type RuleContext,
  ruleFinding,
} from './rule.ts'

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

/** Seconds. */
const longestPermit = 3_600
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
