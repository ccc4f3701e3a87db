import { formatEther, type Hex } from 'viem'
import { formatAmount, usdcDecimals } from '../../../redeemkit/core/amount.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import type { StorageSlot } from '../node/prestate.ts'
import type { CallFrame } from '../redeemReport.ts'
import type { Circumstances } from '../runPlan.ts'
import { failureOf, targetCall, walkFrames } from '../trace/frames.ts'
import { coinMoves, tokenMoves } from '../trace/tokenMoves.ts'
import { usdcTransfers } from '../trace/usdcMoves.ts'
import { type EconomicContext, type RuleContext, RuleNotJudgedError } from './rule.ts'

export type Outcome = {
  /** `undefined` if the redeem succeeded. */
  failure: string | undefined
  usdc: readonly string[]
  tokens: readonly string[]
  coins: readonly string[]
  /** Excludes events of USDC. */
  events: readonly string[]
}

export function outcomeOf(
  { usdc }: Pick<RuleContext, 'usdc'>,
  run: { frame: CallFrame; call: CallFrame | undefined },
  options: { ids: boolean } = { ids: true },
): Outcome {
  const { frame, call } = run
  return {
    failure: failureOf(frame)?.frame.failure,
    usdc: usdcPayments(frame, usdc),
    tokens: [
      ...tokenMoves(frame).map(({ contract, standard, id, amount, from, to }) => {
        const one = options.ids ? `${standard} token ${id}` : `an ${standard} token`
        const many = options.ids ? `${amount} of ${one}` : `${amount} ${standard} tokens`
        return `${amount === 1n ? one : many} of ${contract} from ${from} to ${to}`
      }),
      ...Array.from(
        coinMoves(frame, usdc),
        ({ token, amount, from, to }) =>
          `${amount} raw units of the ERC-20 token ${token} from ${from} to ${to}`,
      ),
    ],
    coins: coinPayments(frame),
    events: call === undefined ? [] : eventsOf(call, usdc),
  }
}

/** Describes the first difference of a rerun, if there is one. */
export function differenceOf(first: Outcome, other: Outcome): string | undefined {
  if (first.failure === undefined && other.failure !== undefined) return `it fails: ${other.failure}`
  if (first.failure !== undefined && other.failure === undefined) return 'it succeeds'
  for (const kind of ['usdc', 'tokens', 'coins'] as const) {
    const [mine, theirs] = [first[kind], other[kind]]
    const place = Array.from({ length: Math.max(mine.length, theirs.length) }, (_, at) => at).find(
      (at) => mine[at] !== theirs[at],
    )
    if (place !== undefined)
      return `it moves ${theirs[place] ?? 'nothing'} instead of ${mine[place] ?? 'nothing'}`
  }
  return undefined
}

export function callIn(context: RuleContext, frame: CallFrame): CallFrame | undefined {
  const found = targetCall(frame, context)?.frame
  if (found === undefined && context.call !== undefined)
    throw new RuleNotJudgedError(
      `The credits contract reverted when the call was simulated again: ${failureOf(frame)?.frame.failure ?? 'it made no call'}.`,
    )
  return found
}

function usdcPayments(root: CallFrame, usdc: Hex): string[] {
  return [...usdcTransfers(root, usdc)].map(
    ({ from, to, amount }) =>
      `${formatAmount(amount, { decimals: usdcDecimals, minimumPlaces: 2 })} USDC from ${from} to ${to}`,
  )
}

function coinPayments(root: CallFrame): string[] {
  return [...walkFrames(root)].flatMap(({ frame: { type, from, to, value }, persists }) =>
    persists && value > 0n && type !== 'DELEGATECALL' && type !== 'CALLCODE'
      ? [`${formatEther(value)} of the chain's own coin from ${from} to ${to ?? 'a new contract'}`]
      : [],
  )
}

function eventsOf(call: CallFrame, usdc: Hex): string[] {
  const events: string[] = []
  for (const { frame, persists } of walkFrames(call)) {
    if (!persists) continue
    for (const { address, topics, data } of frame.logs)
      if (!sameHex(address, usdc)) events.push([address, ...topics, data].join(' '))
  }
  return events
}

/** Excludes values in USDC, the credits contract and the wallet. */
export async function changesOf(
  { changes, usdc, creditsContract, redeem }: EconomicContext,
  circumstances: Circumstances,
): Promise<readonly StorageSlot[]> {
  const left = [usdc, creditsContract, redeem.wallet]
  const stored = await changes(circumstances)
  return stored.filter(({ address }) => !left.some((one) => sameHex(one, address)))
}

export const storedBy = async (context: EconomicContext, circumstances: Circumstances): Promise<string> =>
  JSON.stringify(await changesOf(context, circumstances))
