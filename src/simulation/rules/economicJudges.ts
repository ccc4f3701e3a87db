import type { EconomicJudge } from './economicContext.ts'
import { keepsMoneyOnShortGas } from './keepsMoneyOnShortGas.ts'
import { leavesAllowance } from './leavesAllowance.ts'
import { needsNativeCoin } from './needsNativeCoin.ts'
import { nftShape } from './nftShape.ts'
import { nftStaysBehind } from './nftStaysBehind.ts'
import { pulls } from './pulls.ts'
import { reenters } from './reenters.ts'
import { whitelisted } from './whitelisted.ts'

/** Every economic rule but `CALL_REVERTS`, which is what is left when none of these says why. */
export const economicJudges: readonly EconomicJudge[] = [
  whitelisted,
  pulls,
  needsNativeCoin,
  nftShape,
  nftStaysBehind,
  reenters,
  leavesAllowance,
  keepsMoneyOnShortGas,
]
