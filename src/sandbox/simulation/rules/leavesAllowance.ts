import { plainDollars } from '../../../redeemkit/evm/findingTexts.ts'
import type { EconomicJudge } from './economicContext.ts'
import { ruleFinding } from './ruleFinding.ts'

/** `LEAVES_ALLOWANCE`: after the redeem somebody may spend more USDC than before it. */
export const leavesAllowance: EconomicJudge = ({ execution, allowances }) => {
  if (!execution.succeeded) return []
  return allowances.flatMap(({ owner, spender, before, after }) =>
    after <= before
      ? []
      : [
          ruleFinding(
            'danger',
            'LEAVES_ALLOWANCE',
            `${spender} may still spend ${after >= 2n ** 255n ? 'all' : plainDollars(after)} USDC of ${owner} when the redeem has ended.`,
          ),
        ],
  )
}
