import { and, eq } from 'drizzle-orm'
import type { Clock } from '../../../core/time/clock.ts'
import type { Database } from '../../store/database.ts'
import { webhookDeliveries } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import { eventBody } from './eventBody.ts'
import { noteAttempt } from './noteAttempt.ts'
import { postWebhook } from './postWebhook.ts'
import { secretsAt, settingsOf } from './settingsOf.ts'
import { type Delivery, takeDeliveries } from './takeDeliveries.ts'

/**
 * Sends what is due to the merchants' own addresses, each at least once (PROTOCOL.md 10.4). Two processes may do it at once.
 *
 * @returns whether one is still to be sent, now or later
 */
export async function deliverWebhooks(
  service: Pick<Service, 'now'>,
  database: Database,
  options: deliverWebhooks.Options,
): Promise<boolean> {
  const taken = await takeDeliveries(service, database, { target: 'url', limit: 16 })
  await Promise.all(taken.map((delivery) => deliver(service, database, { ...options, delivery })))
  if (taken.length > 0) return true
  const [waiting] = await database
    .select({ deliveryId: webhookDeliveries.deliveryId })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.status, 'pending'), eq(webhookDeliveries.target, 'url')))
    .limit(1)
  return waiting !== undefined
}

export declare namespace deliverWebhooks {
  type Options = {
    /**
     * The time that signatures name: that of the machine, whether or not the service's clock was moved, since receivers compare
     * it with their own.
     */
    signedAt: Clock
    headerPrefix: string | undefined
    timeoutMs?: number | undefined
  }
}

async function deliver(
  service: Pick<Service, 'now'>,
  database: Database,
  options: deliverWebhooks.Options & { delivery: Delivery },
): Promise<void> {
  const { delivery, signedAt, headerPrefix, timeoutMs } = options
  const settings = await settingsOf(database, delivery.merchantId)
  const outcome =
    settings.url === null
      ? { error: 'NO_ADDRESS' }
      : await postWebhook({
          url: settings.url,
          event: eventBody(delivery.event),
          secrets: secretsAt(settings, service.now()),
          seconds: Math.floor(signedAt() / 1000),
          headerPrefix,
          timeoutMs,
        })
  await noteAttempt(service, database, { delivery, outcome })
}
