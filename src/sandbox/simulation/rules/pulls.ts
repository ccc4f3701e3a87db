import { plainDollars } from '../../../redeemkit/evm/finding/words.ts'
import { failureOf, sameAddress } from '../trace/frames.ts'
import type { UsdcWish } from '../trace/usdcMoves.ts'
import { type EconomicContext, type EconomicJudge, ruleFinding } from './rule.ts'

/** `PULLS_MORE`, `PULLS_LESS`, `PULLS_NOTHING`, `PULLS_FROM_OTHERS`. */
export const pulls: EconomicJudge = (context) => {
  const { call, pulled, redeem } = context
  if (call === undefined) return []
  const others = context.wishes.find((wish) => isFromOthers(wish, context))
  if (others !== undefined) {
    const { by, from, to, amount } = others
    const whose = nameOf(from, context)
    return [
      ruleFinding(
        'danger',
        'PULLS_FROM_OTHERS',
        `${by} wants ${plainDollars(amount)} USDC from ${whose}, for ${to}. The amount is approved by the credits contract, which calls it.`,
      ),
    ]
  }
  const asked = wanted(context)
  if (pulled === undefined) {
    const isTooMuch = asked.total > redeem.amount && asked.failed
    return isTooMuch ? [more(redeem.amount, asked.total)] : []
  }
  const back = sentBack(context)
  if (pulled > 0n && back > 0n)
    return [
      ruleFinding(
        'danger',
        'PULLS_LESS',
        `It takes ${plainDollars(pulled)} USDC, and sends ${plainDollars(back)} of it back to msg.sender, the credits contract, where it is nobody's.`,
      ),
    ]
  if (pulled === 0n)
    return [
      ruleFinding(
        'danger',
        'PULLS_NOTHING',
        `${redeem.target} takes none of the ${plainDollars(redeem.amount)} USDC: all of it becomes credits again.`,
      ),
    ]
  if (pulled < redeem.amount)
    return [
      ruleFinding(
        'danger',
        'PULLS_LESS',
        `${redeem.target} takes ${plainDollars(pulled)} of ${plainDollars(redeem.amount)} USDC: the rest becomes credits again.`,
      ),
    ]
  return []
}

const more = (amount: bigint, total: bigint) =>
  ruleFinding(
    'danger',
    'PULLS_MORE',
    `It wants ${plainDollars(total)} USDC; the amount is ${plainDollars(amount)}.`,
  )

/** What came to the credits contract during the call. */
function sentBack({ wishes, creditsContract }: EconomicContext): bigint {
  const back = wishes.filter(({ to, given }) => given && sameAddress(to, creditsContract))
  return back.reduce((sum, { amount }) => sum + amount, 0n)
}

/** What was wanted of the credits contract until the call failed, and whether it failed by that. */
function wanted({ call, wishes, creditsContract }: EconomicContext): { total: bigint; failed: boolean } {
  const failed = call && failureOf(call)
  const own = wishes.filter(({ from }) => sameAddress(from, creditsContract))
  const last = own.find(({ at }) => isFailedAt(at, failed?.at))
  return {
    total: own.reduce((sum, { amount, done }) => (done ? sum + amount : sum), last?.amount ?? 0n),
    failed: last !== undefined,
  }
}

/** The failure began at the call of USDC, or behind its proxy. */
const isFailedAt = (at: readonly number[], failed: readonly number[] | undefined) =>
  failed !== undefined && at.every((place, depth) => failed[depth] === place)

/** The redeem fails by it, or it is from people: also an attempt that is caught, which succeeds with whoever has approved it. */
function isFromOthers(wish: UsdcWish, context: EconomicContext): boolean {
  const { creditsContract, call, redeem } = context
  const { by, from, at } = wish
  if (sameAddress(from, creditsContract)) return false
  const failed = call && failureOf(call)
  // What one has oneself one may send; to fail by it is no better.
  if (isFailedAt(at, failed?.at)) return !sameAddress(from, by) || wish.isByAllowance
  return sameAddress(from, redeem.wallet) || sameAddress(from, redeem.relayer)
}

function nameOf(account: `0x${string}`, { redeem }: EconomicContext): string {
  if (sameAddress(account, redeem.wallet)) return `the customer, ${account}`
  return sameAddress(account, redeem.relayer) ? `tx.origin, the relayer ${account}` : account
}
