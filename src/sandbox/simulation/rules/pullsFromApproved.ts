import type { Hex } from 'viem'
import { plainDollars } from '../../../redeemkit/evm/findingTexts.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import type { CallFrame } from '../redeemReport.ts'
import { addressIn, targetCall, walkFrames, wordsOf } from '../trace/frames.ts'
import { tokenCallOf, type UsdcTransferCall, usdcTransferCalls } from '../trace/usdcMoves.ts'
import { assumeUsdc } from './assumeUsdc.ts'
import { nameOf } from './pulls.ts'
import { type EconomicContext, type EconomicJudge, RuleNotJudgedError, ruleFinding } from './rule.ts'

/**
 * `PULLS_FROM_OTHERS`: the contract takes USDC from a customer or relayer with an old approval. Simulated only if it reads their balance
 * or allowance, because otherwise it cannot detect the approval.
 */
export const pullsFromApproved: EconomicJudge = async (context) => {
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

function said({ by, from, to, amount }: UsdcTransferCall, context: EconomicContext) {
  return ruleFinding(
    'danger',
    'PULLS_FROM_OTHERS',
    `${by} takes ${plainDollars(amount)} USDC from ${nameOf(from, context)} for ${to}, if that account has approved it. The credits contract approved the amount and makes the call.`,
  )
}

/** A state in which the customer and the relayer have the amount and have approved these spenders. */
async function approved({ plan, redeem }: EconomicContext, spenders: readonly Hex[]) {
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
    if (owner === undefined || !accounts.some((one) => sameHex(one, addressIn(`0x${owner}`)))) continue
    isAsked = true
    if (name === 'allowance' && spender !== undefined) add(spenders, addressIn(`0x${spender}`))
  }
  return isAsked ? [...spenders.values()].slice(0, mostSpenders) : undefined
}

/** Each spender costs several reads. */
const mostSpenders = 8

function add(found: Map<string, Hex>, address: Hex): void {
  found.set(address.toLowerCase(), address)
}
