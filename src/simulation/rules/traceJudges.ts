import { dependsOnTime } from './dependsOnTime.ts'
import { differsOnSecondCall } from './differsOnSecondCall.ts'
import type { EconomicJudge } from './economicContext.ts'
import { gasAboveLimit } from './gasAboveLimit.ts'
import { receiverNotCustomer } from './receiverNotCustomer.ts'
import type { RuleCode } from './ruleCatalogue.ts'
import { swallowsFailure } from './swallowsFailure.ts'
import { upgradeable } from './upgradeable.ts'
import { usesTxOrigin } from './usesTxOrigin.ts'

/** Every trace rule. */
export const traceJudges: readonly { code: RuleCode; judge: EconomicJudge }[] = [
  { code: 'RECEIVER_NOT_CUSTOMER', judge: receiverNotCustomer },
  { code: 'USES_TX_ORIGIN', judge: usesTxOrigin },
  { code: 'DEPENDS_ON_TIME', judge: dependsOnTime },
  { code: 'DIFFERS_ON_SECOND_CALL', judge: differsOnSecondCall },
  { code: 'GAS_ABOVE_LIMIT', judge: gasAboveLimit },
  { code: 'SWALLOWS_FAILURE', judge: swallowsFailure },
  { code: 'UPGRADEABLE', judge: upgradeable },
]
