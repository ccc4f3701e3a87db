import type { Hex } from 'viem'
import { permitMaximumSeconds } from '../../../redeemkit/core/limits.ts'
import { settlementShapes } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import type { Circumstances } from '../runPlan.ts'
import { hasOpcode, opcodes } from './opcodes.ts'
import { callIn, differenceOf, outcomeOf, storedBy, storedIn } from './outcome.ts'
import { type Judge, type RuleContext, ruleFinding, warning } from './rule.ts'
import { permitMaximumText } from './ruleCatalogue.ts'

/**
 * `USES_TX_ORIGIN`: a run with another sender has a different outcome. A danger if the redeem fails, moves money or tokens elsewhere, or
 * stores everything under `tx.origin`; a warning if only stored values or events differ.
 */
export const usesTxOrigin: Judge = async (context) => {
  const { call, frame, rerun, creditsContract, redeem } = context
  if (call === undefined || !(await hasOpcode(context, [opcodes.origin]))) return []
  const first = outcomeOf(context, { frame, call })
  // A contract that rejects contracts as callers compares msg.sender with tx.origin.
  if (frame.failure !== undefined) {
    const { succeeded } = await rerun({ relayer: creditsContract })
    return succeeded ? [uses('danger', 'it succeeds only if tx.origin is msg.sender', letContracts)] : []
  }
  const other = await rerun({ relayer: anotherRelayer })
  const seen = outcomeOf(context, { frame: other.frame, call: callIn(context, other.frame) })
  const difference = differenceOf(first, seen)
  if (difference !== undefined) return [uses('danger', `sent by another relayer, ${difference}`)]
  const isStoredAlike = await writesTheSame(context)
  if (!isStoredAlike && (await storedIn(context)).isOnlyUnder(redeem.relayer))
    return [uses('danger', 'it stores the purchase for tx.origin, the relayer, and nothing for the customer')]
  if (first.events.join() !== seen.events.join())
    return [uses('warning', 'sent by another relayer, it emits different events')]
  return isStoredAlike ? [] : [uses('warning', 'sent by another relayer, it stores different values')]
}

const uses = (severity: 'danger' | 'warning', how: string, fix?: string) =>
  ruleFinding(severity, 'USES_TX_ORIGIN', `The contract reads tx.origin: ${how}.`, fix)

const letContracts =
  'Allow contracts to buy: msg.sender is the credits contract, which is never tx.origin. To limit purchases, limit them per receiver.'

/** An unused address: the last bytes of keccak256("another relayer"). */
const anotherRelayer: Hex = '0x36385191a79c757a78ebfbef3ee38fbba1bff5f7'

async function writesTheSame(context: RuleContext): Promise<boolean> {
  const [mine, theirs] = await Promise.all([
    storedBy(context, {}),
    storedBy(context, { relayer: anotherRelayer }),
  ])
  return mine === theirs
}

/**
 * `DEPENDS_ON_TIME`: the redeem differs when the longest permit expires (PROTOCOL.md 3.3), or in another block. A random token id does not
 * count.
 */
export const dependsOnTime: Judge = async (context) => {
  const later = await difference(context, {
    opcodes: ofTime,
    circumstances: [{ seconds: Number(permitMaximumSeconds) }],
    ids: true,
  })
  if (later !== undefined)
    return warning(
      'DEPENDS_ON_TIME',
      `${permitMaximumText} later, ${later}.`,
      context.frame.failure === undefined
        ? undefined
        : 'Offer the purchase only while the contract accepts it.',
    )
  const elsewhere = await difference(context, {
    opcodes: ofBlock,
    circumstances: lots.map((randomness) => ({ randomness })),
    ids: false,
  })
  if (elsewhere === undefined) return []
  return warning('DEPENDS_ON_TIME', `In another block, ${elsewhere}.`, drawFix)
}

const drawFix =
  'If this is a lottery, tell the customer before they sign. Otherwise, do not use values of the block, such as prevrandao or the base fee.'

const ofTime = [opcodes.timestamp, opcodes.number, opcodes.blockHash]
const ofBlock = [opcodes.prevRandao, opcodes.coinbase, opcodes.gasLimit, opcodes.baseFee, opcodes.gasPrice]
/** An even and an odd random value, for contracts that use a remainder. */
const lots: readonly Hex[] = [`0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`]

/** Reruns the call only if a contract uses one of the opcodes. */
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

/** `DIFFERS_ON_SECOND_CALL`: a different token id does not count, and a known token id is expected to be sold only once. */
export const differsOnSecondCall: Judge = async (context) => {
  const { call, frame, redeem } = context
  if (call === undefined || frame.failure !== undefined || settlementShapes[redeem.shape].nft === 'token')
    return []
  const second = await context.rerun({ second: true })
  const ids = { ids: false }
  const difference = differenceOf(
    outcomeOf(context, { frame, call }, ids),
    outcomeOf(context, { frame: second.frame, call: callIn(context, second.frame) }, ids),
  )
  if (difference === undefined) return []
  return warning('DIFFERS_ON_SECOND_CALL', `Bought a second time, ${difference}.`)
}
