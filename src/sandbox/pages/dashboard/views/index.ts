import { faults } from './faults.tsx'
import { overview } from './overview.tsx'
import { payments } from './payments.tsx'
import { redeemReport } from './redeemReport.tsx'
import { redeems } from './redeems.tsx'
import { subscriptions } from './subscriptions.tsx'
import type { View } from './view.ts'
import { webhooks } from './webhooks.tsx'

/** The pages, in the order of the navigation. */
export const views: readonly View[] = [
  overview,
  redeems,
  redeemReport,
  payments,
  subscriptions,
  webhooks,
  faults,
]
