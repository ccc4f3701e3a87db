import type { RuleJudge } from './judgeRules.ts'
import { keepsMoneyOnShortGas } from './keepsMoneyOnShortGas.ts'
import { leavesAllowance } from './leavesAllowance.ts'
import { needsNativeCoin } from './needsNativeCoin.ts'
import { nftShape } from './nftShape.ts'
import { nftStaysBehind } from './nftStaysBehind.ts'
import { pulls } from './pulls.ts'
import { pullsFromApproved } from './pullsFromApproved.ts'
import { reenters } from './reenters.ts'
import { whitelisted } from './whitelisted.ts'

/** Every economic rule but `CALL_REVERTS`, which is what is left when none of these says why. */
export const economicJudges: readonly RuleJudge[] = [
  { codes: ['NOT_WHITELISTED', 'SELECTOR_NOT_WHITELISTED'], judge: whitelisted },
  { codes: ['PULLS_MORE', 'PULLS_LESS', 'PULLS_NOTHING', 'PULLS_FROM_OTHERS'], judge: pulls },
  { codes: ['PULLS_FROM_OTHERS'], judge: pullsFromApproved },
  { codes: ['NEEDS_NATIVE_COIN'], judge: needsNativeCoin },
  { codes: ['MINTS_WITHOUT_HOOK', 'RETURNS_NO_ID', 'WRONG_NFT_ID'], judge: nftShape },
  { codes: ['NFT_STAYS_BEHIND'], judge: nftStaysBehind },
  { codes: ['REENTERS'], judge: reenters },
  { codes: ['LEAVES_ALLOWANCE'], judge: leavesAllowance },
  { codes: ['KEEPS_MONEY_ON_SHORT_GAS'], judge: keepsMoneyOnShortGas },
]
