import { authRoutes } from './auth/authRoutes.ts'
import { jwtToken } from './auth/checkoutJwt.ts'
import { balances } from './balances.ts'
import { checkoutRoutes } from './checkout/checkoutRoutes.ts'
import { sandboxRoutes } from './controls/sandboxRoutes.ts'
import { contractAddress, health } from './discovery.ts'
import type { Route } from './http/route.ts'
import { burn, jobStatus, mint } from './merchant/creditJobs.ts'
import { program, programDecision, programList } from './merchant/program.ts'
import { usdcWithdraw } from './merchant/usdcWithdraw.ts'
import { paymentRoutes } from './payments/paymentRoutes.ts'
import { creditsAuthMsg } from './redeem/creditsAuthMsg.ts'
import { sendGaslessTx } from './redeem/sendGaslessTx.ts'
import { reportRoutes } from './reports/reportRoutes.ts'
import { subscriptionRoutes } from './subscription/subscriptionRoutes.ts'
import { prepareTransfer } from './transfers/prepareTransfer.ts'
import { submitTransfer } from './transfers/submitTransfer.ts'
import { webhookRoutes } from './webhooks/webhookRoutes.ts'
import { withdrawRoutes } from './withdraw/withdrawRoutes.ts'

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
