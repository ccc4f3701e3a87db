import type { Route } from '../http/route.ts'
import { createIban } from './accounts/createIban.ts'
import { registerBusiness } from './business/registerBusiness.ts'
import { verificationPages } from './business/verificationPage.ts'
import { withdrawerDecisions } from './business/withdrawerDecisions.ts'
import { kycRecord } from './kyc/kycRecord.ts'
import { validateKyc } from './kyc/validateKyc.ts'
import { customerPlace } from './place/customerPlace.ts'
import { withdrawalRules } from './withdrawalRules.ts'

/** Who withdraws, and where to (PROTOCOL.md 2.9, 10.7). */
export const withdrawRoutes: readonly Route[] = [
  validateKyc,
  kycRecord,
  createIban,
  registerBusiness,
  ...verificationPages,
  ...withdrawerDecisions,
  ...withdrawalRules,
  customerPlace,
]
