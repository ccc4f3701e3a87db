import type { Route } from '../http/route.ts'
import { createIban } from './createIban.ts'
import { customerPlace } from './place.ts'
import { registerBusiness } from './registerBusiness.ts'
import { kycRecord, validateKyc } from './validateKyc.ts'
import { verificationPages, withdrawerDecisions } from './verificationPage.ts'
import { withdrawalRules } from './withdrawalRules.ts'

/** Withdrawals (PROTOCOL.md 2.9, 10.7). */
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
