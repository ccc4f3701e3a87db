import { and, eq, min } from 'drizzle-orm'
import type { Clock } from '../../../redeemkit/core/time/clock.ts'
import type { Database } from '../../store/database.ts'
import { webhookDeliveries } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import { eventBody } from './eventBody.ts'
import { noteAttempt } from './noteAttempt.ts'
import { postWebhook } from './postWebhook.ts'
import { secretsAt, settingsOf } from './settingsOf.ts'
import { type Delivery, takeDeliveries } from './takeDeliveries.ts'

/**
 * Sends what is due to the merchants' own addresses, each at least once (PROTOCOL.md 10.4). Two processes may do it at once. A
 * receiver that answers late holds up what its own merchant is told, and nothing else.
 */
export function createWebhookSender(
  service: Pick<Service, 'now' | 'onError'>,
  options: createWebhookSender.Options,
): WebhookSender {
  const underWay = new Map<string, Promise<void>>()

  async function sendTo(database: Database, merchantId: string): Promise<void> {
    try {
      const taken = await takeDeliveries(service, database, { target: 'url', merchantId, limit: 16 })
      await Promise.all(taken.map((delivery) => deliver(service, database, { ...options, delivery })))
    } catch (error) {
      // The next look finds what was not noted.
      service.onError?.(error)
    } finally {
      underWay.delete(merchantId)
    }
  }

  return {
    send: async (database) => {
      const waiting = await database
        .select({ merchantId: webhookDeliveries.merchantId, due: min(webhookDeliveries.nextAttemptAt) })
        .from(webhookDeliveries)
        .where(and(eq(webhookDeliveries.status, 'pending'), eq(webhookDeliveries.target, 'url')))
        .groupBy(webhookDeliveries.merchantId)
      for (const { merchantId, due } of waiting)
        if (due !== null && due.getTime() <= service.now() && !underWay.has(merchantId))
          underWay.set(merchantId, sendTo(database, merchantId))
      return waiting.length > 0 || underWay.size > 0
    },
    idle: async () => {
      await Promise.all(underWay.values())
    },
  }
}

export declare namespace createWebhookSender {
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

export type WebhookSender = {
  /**
   * Begins to send what is due, and does not wait for the receivers.
   *
   * @returns whether one is still to be sent, now or later
   */
  send: (database: Database) => Promise<boolean>
  /** Waits for the receivers that were asked. */
  idle: () => Promise<void>
}

async function deliver(
  service: Pick<Service, 'now'>,
  database: Database,
  options: createWebhookSender.Options & { delivery: Delivery },
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
