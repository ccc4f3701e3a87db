import { encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import { plainDollars } from '../../../redeemkit/evm/finding/words.ts'
import { playCalls } from '../node/playCalls.ts'
import { slotsRead } from '../node/prestate.ts'
import type { Overrides } from '../node/traceCall.ts'
import type { CallFrame } from '../redeemReport.ts'
import { reader } from '../report/readChain.ts'
import type { RedeemPlan } from '../runPlan.ts'
import { addressIn, sameAddress, targetCall, walkFrames } from '../trace/frames.ts'
import { type UsdcWish, usdcWishes } from '../trace/usdcMoves.ts'
import { type EconomicContext, type EconomicJudge, RuleNotJudgedError, ruleFinding } from './rule.ts'

/**
 * `PULLS_FROM_OTHERS`: where customer and relayer have USDC and have approved it, from another time, it takes theirs. Tried
 * when it asks USDC what they have or have approved: what does not ask cannot know.
 */
export const pullsFromApproved: EconomicJudge = async (context) => {
  const { call, execution, redeem, usdc, creditsContract, settlement, wishes } = context
  const people = [redeem.wallet, redeem.relayer]
  // Then it has been said already.
  if (!execution.succeeded || call === undefined || takenFrom(people, wishes) !== undefined) return []
  let asked = askedOf(call, usdc, people)
  if (asked === undefined) return []
  for (let tries = 0; tries < mostTries; tries++) {
    const { frame, succeeded } = await context.rerun({ state: await approved(context, asked) })
    const found = targetCall(frame, { creditsContract, target: settlement.target, data: settlement.data })
    if (found === undefined) return []
    const taken = succeeded ? takenFrom(people, usdcWishes(found.frame, usdc)) : undefined
    if (taken !== undefined) return [said(taken, redeem.wallet)]
    const spenders: readonly Hex[] = askedOf(found.frame, usdc, people) ?? []
    const further = spenders.filter((one) => !asked?.some((other) => sameAddress(one, other)))
    if (further.length === 0) return []
    asked = [...asked, ...further]
  }
  return []
}

/** Once approved, it may look whether another contract is. */
const mostTries = 3

const takenFrom = (people: readonly Hex[], wishes: readonly UsdcWish[]) =>
  wishes.find(({ from, isByAllowance }) => isByAllowance && people.some((one) => sameAddress(one, from)))

function said({ by, from, to, amount }: UsdcWish, wallet: Hex) {
  const whose = sameAddress(from, wallet) ? `the customer, ${from}` : `tx.origin, the relayer ${from}`
  return ruleFinding(
    'danger',
    'PULLS_FROM_OTHERS',
    `Where they have approved it, ${by} takes ${plainDollars(amount)} USDC from ${whose}, for ${to}. The amount is approved by the credits contract, which calls it.`,
  )
}

/** Customer and relayer have the amount, and have approved these. */
async function approved({ plan, redeem }: EconomicContext, spenders: readonly Hex[]) {
  const state = await assumeUsdc(plan, {
    owners: sameAddress(redeem.wallet, redeem.relayer) ? [redeem.wallet] : [redeem.wallet, redeem.relayer],
    spenders,
    balance: redeem.amount + redeem.usdcAmount,
  })
  if (state === undefined)
    throw new RuleNotJudgedError(
      'The contract looks at what customer or relayer have in USDC, or have approved, and where this USDC keeps that could not be found: what it does with an approval was not tried.',
    )
  return state
}

/**
 * Whoever calls USDC inside of the call, and of whose allowance by these people it is asked.
 *
 * @returns `undefined` when USDC is not asked about them
 */
function askedOf(call: CallFrame, usdc: Hex, people: readonly Hex[]): readonly Hex[] | undefined {
  const spenders = new Map<string, Hex>()
  let isAsked = false
  for (const { frame } of walkFrames(call)) {
    if (!sameAddress(frame.to, usdc)) continue
    add(spenders, frame.from)
    const selector = frame.input.slice(0, 10)
    if (selector !== selectors.balanceOf && selector !== selectors.allowance) continue
    const [owner, spender] = frame.input.slice(10).match(/.{64}/g) ?? []
    if (owner === undefined || !people.some((one) => sameAddress(one, addressIn(`0x${owner}`)))) continue
    isAsked = true
    if (selector === selectors.allowance && spender !== undefined) add(spenders, addressIn(`0x${spender}`))
  }
  return isAsked ? [...spenders.values()].slice(0, mostSpenders) : undefined
}

const selectors = { balanceOf: '0x70a08231', allowance: '0xdd62ed3e' }
/** For each one USDC is asked several times. */
const mostSpenders = 8

function add(found: Map<string, Hex>, address: Hex): void {
  found.set(address.toLowerCase(), address)
}

/** People, and whom they have approved. */
export type UsdcHolders = {
  owners: readonly Hex[]
  spenders: readonly Hex[]
  /** What each of them has at least, in raw units. */
  balance: bigint
}

/**
 * The state in which people have USDC, and have approved each spender for all of it: the words of USDC's storage that hold
 * balances and allowances, found by what the token reads when it is asked for them.
 *
 * @returns `undefined` when the node does not tell them, or the token keeps them in another way
 * @throws ChainReadError
 */
export async function assumeUsdc(
  plan: RedeemPlan,
  { owners, spenders, balance }: UsdcHolders,
): Promise<Overrides | undefined> {
  const words = await Promise.all(
    owners.flatMap((owner) => [
      wordFor(plan, balanceOf(owner), balance),
      ...spenders.map((spender) => wordFor(plan, allowance(owner, spender), unlimited)),
    ]),
  )
  const stateDiff: Record<Hex, Hex> = {}
  for (const word of words) {
    if (word === undefined) return undefined
    Object.assign(stateDiff, word)
  }
  return { [plan.usdc]: { stateDiff } }
}

export declare namespace assumeUsdc {
  type ErrorType = slotsRead.ErrorType | playCalls.ErrorType
}

const unlimited = 2n ** 256n - 1n

const balanceOf = (owner: Hex) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] })

const allowance = (owner: Hex, spender: Hex) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender] })

/** The word with which the token answers so much; nothing when it answers as much already. */
async function wordFor(
  { client, usdc, blockNumber }: RedeemPlan,
  data: Hex,
  value: bigint,
): Promise<Readonly<Record<Hex, Hex>> | undefined> {
  const answerWith = async (overrides: Overrides) => {
    const [answer] = await playCalls(
      client,
      { blockNumber, overrides },
      { as: reader, calls: [{ to: usdc, data }] },
    )
    return answer?.succeeded && answer.size === 32 ? answer.words[0] : undefined
  }
  const answered = await answerWith({})
  if (answered === undefined || answered >= value) return answered === undefined ? undefined : {}
  const call = { from: reader, to: usdc, data, gas: 1_000_000n, blockNumber, overrides: {} }
  for (const slot of Object.keys(await slotsRead(client, { of: usdc, call }))) {
    const stateDiff = { [slot]: numberToHex(value, { size: 32 }) }
    if ((await answerWith({ [usdc]: { stateDiff } })) === value) return stateDiff
  }
  return undefined
}
