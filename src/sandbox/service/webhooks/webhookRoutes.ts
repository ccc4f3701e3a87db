import type { Route } from '../http/route.ts'
import { eventRoutes } from './eventRoutes.ts'
import { listenerRoutes } from './listenerRoutes.ts'
import { settingsRoutes } from './settingsRoutes.ts'
import { triggerEvent } from './triggerEvent.ts'

/** Everything under `/sandbox/webhooks` (PROTOCOL.md 2.10). */
export const webhookRoutes: readonly Route[] = [
  ...settingsRoutes,
  ...eventRoutes,
  ...listenerRoutes,
  triggerEvent,
]
