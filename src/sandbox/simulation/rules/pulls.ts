import type { Hex } from 'viem'
import { plainDollars } from '../../../redeemkit/evm/findingTexts.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import type { CallFrame } from '../redeemReport.ts'
import { addressIn, causeOf, targetCall, walkFrames, wordsOf } from '../trace/frames.ts'
import { tokenCallOf, type UsdcTransferCall, usdcTransferCalls } from '../trace/moves.ts'
import { assumeUsdc } from './assumeUsdc.ts'
import { danger, type Judge, type RuleContext, RuleNotJudgedError, ruleFinding, warning } from './rule.ts'

export const pulls: Judge = (context) => {
  const { call, pulled, redeem } = context
  if (call === undefined) return []
  const others = context.transferCalls.find((transfer) => isFromOthers(transfer, context))
  if (others !== undefined) {
    const { by, from, to, amount } = others
    const whose = nameOf(from, context)
    return danger(
      'PULLS_FROM_OTHERS',
      `${by} requests ${plainDollars(amount)} USDC from ${whose}, for ${to}. The credits contract approved the amount and makes the call.`,
    )
  }
  const asked = wanted(context)
  if (pulled === undefined) {
    const isTooMuch = asked.total > redeem.amount && asked.failed
    return isTooMuch ? [more(redeem.amount, asked.total)] : []
  }
  const back = sentBack(context)
  if (pulled > 0n && back > 0n)
    return danger(
      'PULLS_LESS',
      `It takes ${plainDollars(pulled)} USDC and sends ${plainDollars(back)} back to msg.sender, the credits contract, where it belongs to no customer.`,
    )
  if (pulled === 0n)
    return danger(
      'PULLS_NOTHING',
      `${redeem.target} takes none of the ${plainDollars(redeem.amount)} USDC: all of it is returned as credits.`,
    )
  if (pulled < redeem.amount)
    return warning(
      'PULLS_LESS',
      `${redeem.target} takes ${plainDollars(pulled)} of ${plainDollars(redeem.amount)} USDC: the rest is returned as credits.`,
    )
  return []
}

const more = (amount: bigint, total: bigint) =>
  ruleFinding(
    'danger',
    'PULLS_MORE',
    `It requests ${plainDollars(total)} USDC; the amount is ${plainDollars(amount)}.`,
  )

function sentBack({ transferCalls, creditsContract }: RuleContext): bigint {
  const back = transferCalls.filter(({ to, given }) => given && sameHex(to, creditsContract))
  return back.reduce((sum, { amount }) => sum + amount, 0n)
}

/** `total`: USDC requested from the credits contract until the call failed. */
function wanted({ call, transferCalls, creditsContract }: RuleContext): {
  total: bigint
  failed: boolean
} {
  const failed = call && causeOf(call)
  const own = transferCalls.filter(({ from }) => sameHex(from, creditsContract))
  const last = own.find(({ at }) => isFailedAt(at, failed?.at))
  return {
    total: own.reduce((sum, { amount, done }) => (done ? sum + amount : sum), last?.amount ?? 0n),
    failed: last !== undefined,
  }
}

/** Whether the failure began in this USDC call, or in the implementation behind USDC's proxy. */
export const isFailedAt = (at: readonly number[], failed: readonly number[] | undefined) =>
  failed !== undefined && at.every((place, depth) => failed[depth] === place)

/** Attempts whose failure was caught count too, because they succeed for accounts that have approved the contract. */
function isFromOthers(transfer: UsdcTransferCall, context: RuleContext): boolean {
  const { creditsContract, call, redeem } = context
  const { by, from, at } = transfer
  if (sameHex(from, creditsContract)) return false
  const failed = call && causeOf(call)
  // A contract may transfer its own USDC.
  if (isFailedAt(at, failed?.at)) return !sameHex(from, by) || transfer.isByAllowance
  return sameHex(from, redeem.wallet) || sameHex(from, redeem.relayer)
}

function nameOf(account: `0x${string}`, { redeem }: Pick<RuleContext, 'redeem'>): string {
  if (sameHex(account, redeem.wallet)) return `the customer, ${account}`
  return sameHex(account, redeem.relayer) ? `tx.origin, the relayer ${account}` : account
}

/**
 * `PULLS_FROM_OTHERS`: the contract takes USDC from a customer or relayer with an old approval. Simulated only if it reads their balance
 * or allowance, because otherwise it cannot detect the approval.
 */
export const pullsFromApproved: Judge = async (context) => {
  const { call, execution, redeem, usdc, transferCalls } = context
  const accounts = [redeem.wallet, redeem.relayer]
  // `pulls` reports a call that already takes USDC from these accounts.
  if (!execution.succeeded || call === undefined || takenFrom(accounts, transferCalls) !== undefined)
    return []
  let asked = askedOf(call, usdc, accounts)
  if (asked === undefined) return []
  for (let round = 0; round < maxRounds; round++) {
    const { frame, succeeded } = await context.rerun({ state: await approved(context, asked) })
    const found = targetCall(frame, context)
    if (found === undefined) return []
    const taken = succeeded ? takenFrom(accounts, usdcTransferCalls(found.frame, usdc)) : undefined
    if (taken !== undefined) return [said(taken, context)]
    const spenders: readonly Hex[] = askedOf(found.frame, usdc, accounts) ?? []
    const further = spenders.filter((one) => !asked?.some((other) => sameHex(one, other)))
    if (further.length === 0) return []
    asked = [...asked, ...further]
  }
  return []
}

/** Maximum number of rounds. After reading one approval, the contract may read that of a further spender. */
const maxRounds = 3

const takenFrom = (accounts: readonly Hex[], transferCalls: readonly UsdcTransferCall[]) =>
  transferCalls.find(({ from, isByAllowance }) => isByAllowance && accounts.some((one) => sameHex(one, from)))

function said({ by, from, to, amount }: UsdcTransferCall, context: RuleContext) {
  return ruleFinding(
    'danger',
    'PULLS_FROM_OTHERS',
    `${by} takes ${plainDollars(amount)} USDC from ${nameOf(from, context)} for ${to}, if that account has approved it. The credits contract approved the amount and makes the call.`,
  )
}

/** A state in which the customer and the relayer have the amount and have approved these spenders. */
async function approved({ plan, redeem }: RuleContext, spenders: readonly Hex[]) {
  const state = await assumeUsdc(plan, {
    owners: sameHex(redeem.wallet, redeem.relayer) ? [redeem.wallet] : [redeem.wallet, redeem.relayer],
    spenders,
    balance: redeem.amount + redeem.usdcAmount,
  })
  if (state === undefined)
    throw new RuleNotJudgedError(
      'The contract reads the USDC balance or allowance of the customer or the relayer. The storage layout of this USDC is unknown, so an approval could not be simulated.',
    )
  return state
}

/** Contracts that call USDC, and spenders whose allowance is read. `undefined` if the call reads no balance or allowance of `accounts`. */
function askedOf(call: CallFrame, usdc: Hex, accounts: readonly Hex[]): readonly Hex[] | undefined {
  const spenders = new Map<string, Hex>()
  let isAsked = false
  for (const { frame } of walkFrames(call)) {
    if (!sameHex(frame.to, usdc)) continue
    add(spenders, frame.from)
    const [name] = tokenCallOf(frame) ?? []
    if (name !== 'balanceOf' && name !== 'allowance') continue
    const [owner, spender] = wordsOf(frame.input)
    if (owner === undefined || !accounts.some((one) => sameHex(one, addressIn(owner)))) continue
    isAsked = true
    if (name === 'allowance' && spender !== undefined) add(spenders, addressIn(spender))
  }
  return isAsked ? [...spenders.values()].slice(0, mostSpenders) : undefined
}

/** Limited, because each spender costs several reads. */
const mostSpenders = 8

function add(found: Map<string, Hex>, address: Hex): void {
  found.set(address.toLowerCase(), address)
}
