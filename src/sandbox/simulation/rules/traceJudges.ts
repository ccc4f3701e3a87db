import { dependsOnTime } from './dependsOnTime.ts'
import { differsOnSecondCall } from './differsOnSecondCall.ts'
import type { EconomicJudge } from './economicContext.ts'
import { gasAboveLimit } from './gasAboveLimit.ts'
import type { RuleJudge } from './judgeRules.ts'
import { looksAtWalletCode } from './looksAtWalletCode.ts'
import { payerKept } from './payerKept.ts'
import { receiverNotCustomer } from './receiverNotCustomer.ts'
import { swallowsFailure } from './swallowsFailure.ts'
import { upgradeable } from './upgradeable.ts'
import { usesTxOrigin } from './usesTxOrigin.ts'

/** Who is named for the customer says more than whom the contract keeps. */
const receiver: EconomicJudge = async (context) => {
  const named = await receiverNotCustomer(context)
  return named.length === 0 ? payerKept(context) : named
}

/** Every trace rule. */
export const traceJudges: readonly RuleJudge[] = [
  { codes: ['RECEIVER_NOT_CUSTOMER'], judge: receiver },
  { codes: ['RECEIVER_NOT_CUSTOMER'], judge: looksAtWalletCode },
  { codes: ['USES_TX_ORIGIN'], judge: usesTxOrigin },
  { codes: ['DEPENDS_ON_TIME'], judge: dependsOnTime },
  { codes: ['DIFFERS_ON_SECOND_CALL'], judge: differsOnSecondCall },
  { codes: ['GAS_ABOVE_LIMIT'], judge: gasAboveLimit },
  { codes: ['SWALLOWS_FAILURE'], judge: swallowsFailure },
  { codes: ['UPGRADEABLE'], judge: upgradeable },
]
