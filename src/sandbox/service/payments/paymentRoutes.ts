import type { Route } from '../http/route.ts'
import { evidenceFile } from './evidenceFile.ts'
import { getPayment } from './getPayment.ts'
import { listPayments } from './listPayments.ts'
import { paymentDecisions } from './paymentDecisions.ts'
import { purchases } from './purchases.ts'
import { listRefunds, refundPayment } from './refundPayment.ts'
import { respondToChargeback } from './respondToChargeback.ts'

/** What merchants and customers do with payments that are there (PROTOCOL.md 2.7, 2.10, 2.11). */
export const paymentRoutes: readonly Route[] = [
  getPayment,
  listPayments,
  refundPayment,
  listRefunds,
  purchases,
  respondToChargeback,
  evidenceFile,
  ...paymentDecisions,
]
