import { plainDollars } from '../../../redeemkit/evm/findingTexts.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import { causeOf } from '../trace/frames.ts'
import type { UsdcTransferCall } from '../trace/usdcMoves.ts'
import { brokenRule, type EconomicContext, type EconomicJudge, ruleFinding } from './rule.ts'

export const pulls: EconomicJudge = (context) => {
  const { call, pulled, redeem } = context
  if (call === undefined) return []
  const others = context.transferCalls.find((transfer) => isFromOthers(transfer, context))
  if (others !== undefined) {
    const { by, from, to, amount } = others
    const whose = nameOf(from, context)
    return brokenRule(
      'danger',
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
    return brokenRule(
      'danger',
      'PULLS_LESS',
      `It takes ${plainDollars(pulled)} USDC and sends ${plainDollars(back)} back to msg.sender, the credits contract, where it belongs to no customer.`,
    )
  if (pulled === 0n)
    return brokenRule(
      'danger',
      'PULLS_NOTHING',
      `${redeem.target} takes none of the ${plainDollars(redeem.amount)} USDC: all of it is returned as credits.`,
    )
  if (pulled < redeem.amount)
    return brokenRule(
      'warning',
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

function sentBack({ transferCalls, creditsContract }: EconomicContext): bigint {
  const back = transferCalls.filter(({ to, given }) => given && sameHex(to, creditsContract))
  return back.reduce((sum, { amount }) => sum + amount, 0n)
}

/** `total`: USDC requested from the credits contract until the call failed. */
function wanted({ call, transferCalls, creditsContract }: EconomicContext): {
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
function isFromOthers(transfer: UsdcTransferCall, context: EconomicContext): boolean {
  const { creditsContract, call, redeem } = context
  const { by, from, at } = transfer
  if (sameHex(from, creditsContract)) return false
  const failed = call && causeOf(call)
  // A contract may transfer its own USDC.
  if (isFailedAt(at, failed?.at)) return !sameHex(from, by) || transfer.isByAllowance
  return sameHex(from, redeem.wallet) || sameHex(from, redeem.relayer)
}

export function nameOf(account: `0x${string}`, { redeem }: Pick<EconomicContext, 'redeem'>): string {
  if (sameHex(account, redeem.wallet)) return `the customer, ${account}`
  return sameHex(account, redeem.relayer) ? `tx.origin, the relayer ${account}` : account
}
