import { authRoutes } from './auth/authRoutes.ts'
import { jwtToken } from './auth/jwtToken.ts'
import { checkoutRoutes } from './checkout/checkoutRoutes.ts'
import { sandboxRoutes } from './controls/sandboxRoutes.ts'
import { balances } from './customer/balances.ts'
import { health } from './health/health.ts'
import type { Route } from './http/route.ts'
import { burn } from './merchant/burn.ts'
import { jobStatus } from './merchant/jobStatus.ts'
import { mint } from './merchant/mint.ts'
import { program, programDecision, programList } from './merchant/program.ts'
import { paymentRoutes } from './payments/paymentRoutes.ts'
import { creditsAuthMsg } from './redeem/creditsAuthMsg.ts'
import { sendGaslessTx } from './redeem/sendGaslessTx.ts'
import { reportRoutes } from './reports/reportRoutes.ts'
import { usdcWithdraw } from './seller/usdcWithdraw.ts'
import { subscriptionRoutes } from './subscription/subscriptionRoutes.ts'
import { prepareTransfer } from './transfers/prepareTransfer.ts'
import { submitTransfer } from './transfers/submitTransfer.ts'
import { contractAddress } from './utils/contractAddress.ts'
import { webhookRoutes } from './webhooks/webhookRoutes.ts'
import { withdrawRoutes } from './withdraw/withdrawRoutes.ts'

/** Every endpoint of the service. */
export const routes: readonly Route[] = [
  ...authRoutes,
  jwtToken,
  creditsAuthMsg,
  sendGaslessTx,
  ...checkoutRoutes,
  ...paymentRoutes,
  contractAddress,
  balances,
  mint,
  burn,
  jobStatus,
  program,
  programDecision,
  programList,
  usdcWithdraw,
  prepareTransfer,
  submitTransfer,
  health,
  ...subscriptionRoutes,
  ...webhookRoutes,
  ...withdrawRoutes,
  ...sandboxRoutes,
  ...reportRoutes,
]
