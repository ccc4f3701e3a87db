import { formatEther, type Hex, keccak256 } from 'viem'
import { dollars } from '../../../redeemkit/evm/findingTexts.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import type { CallFrame } from '../redeemReport.ts'
import type { Circumstances } from '../runPlan.ts'
import { failureOf, logsOf, targetCall, walkFrames } from '../trace/frames.ts'
import { coinMoves, tokenMoves, usdcTransfers } from '../trace/moves.ts'
import type { StorageSlot } from '../trace/prestate.ts'
import { type RuleContext, RuleNotJudgedError } from './rule.ts'

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
    usdc: usdcTransfers(frame, usdc).map(
      ({ from, to, amount }) => `${dollars(amount, 'USDC')} from ${from} to ${to}`,
    ),
    tokens: [
      ...tokenMoves(frame).map(({ contract, standard, id, amount, from, to }) => {
        const one = options.ids ? `${standard} token ${id}` : `an ${standard} token`
        const many = options.ids ? `${amount} of ${one}` : `${amount} ${standard} tokens`
        return `${amount === 1n ? one : many} of ${contract} from ${from} to ${to}`
      }),
      ...coinMoves(frame, usdc).map(
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

function coinPayments(root: CallFrame): string[] {
  return [...walkFrames(root)].flatMap(({ frame: { type, from, to, value }, persists }) =>
    persists && value > 0n && type !== 'DELEGATECALL' && type !== 'CALLCODE'
      ? [`${formatEther(value)} of the chain's own coin from ${from} to ${to ?? 'a new contract'}`]
      : [],
  )
}

function eventsOf(call: CallFrame, usdc: Hex): string[] {
  return logsOf(call).flatMap(({ address, topics, data }) =>
    sameHex(address, usdc) ? [] : [[address, ...topics, data].join(' ')],
  )
}

/** Returns the changed storage slots, except those of USDC, the credits contract and the wallet. */
async function changesOf(
  { changes, usdc, creditsContract, redeem }: RuleContext,
  circumstances: Circumstances,
): Promise<readonly StorageSlot[]> {
  const left = [usdc, creditsContract, redeem.wallet]
  const stored = await changes(circumstances)
  return stored.filter(({ address }) => !left.some((one) => sameHex(one, address)))
}

export const storedBy = async (context: RuleContext, circumstances: Circumstances): Promise<string> =>
  JSON.stringify(await changesOf(context, circumstances))

type Stored = {
  /** The first change that is stored for an account: in a slot with the account as key, or as a value that contains the account. */
  of: (account: Hex) => StorageSlot | undefined
  /** Whether everything that is stored in mappings has this account as its key. */
  isOnlyUnder: (account: Hex) => boolean
}

export async function storedIn(context: RuleContext): Promise<Stored> {
  const stored = await changesOf(context, {})
  const hashed = stored.filter(isHashed)
  const isUnder = hashed.length === 0 ? () => false : await keysIn(context)
  return {
    of: (account) => {
      const digits = account.slice(2).toLowerCase()
      return stored.find(({ slot, value }) => isUnder(slot, account) || value.toLowerCase().includes(digits))
    },
    isOnlyUnder: (account) => hashed.length > 0 && hashed.every(({ slot }) => isUnder(slot, account)),
  }
}

/** Whether a slot is in a mapping or array. Slots of other variables are small numbers. */
export const isHashed = ({ slot }: Pick<StorageSlot, 'slot'>) => BigInt(slot) >= 2n ** 64n

/**
 * Returns whether a slot is derived from an account: compilers and libraries hash the account, or a hash of it. Includes the words of a
 * struct.
 */
export async function keysIn({ hashed }: RuleContext): Promise<(slot: Hex, account: Hex) => boolean> {
  // Data that begins with 0x19 is a signed message: it contains addresses, but is not a storage key.
  const keys = (await hashed()).filter((data) => !data.startsWith('0x19'))
  const hashes = keys.map((data) => ({ data, hash: keccak256(data) }))
  const isFrom = (data: string, digits: string): boolean =>
    data.includes(digits) ||
    hashes.some(({ data: inner, hash }) => data.includes(hash.slice(2)) && isFrom(inner, digits))
  return (slot, account) => {
    const digits = account.slice(2).toLowerCase()
    return hashes.some(({ data, hash }) => {
      const word = BigInt(slot) - BigInt(hash)
      return word >= 0n && word < structWords && isFrom(data, digits)
    })
  }
}

const structWords = 16n
