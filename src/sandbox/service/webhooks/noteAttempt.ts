import { and, eq } from 'drizzle-orm'
import type { Database } from '../../store/database.ts'
import { webhookDeliveries } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'

/**
 * Writes down how an attempt went: `delivered` after a 2xx; else it is due again after a pause that grows, and `failed` when the
 * 24 hours would be over by then, or the receiver says with a 410 that it is gone for good (PROTOCOL.md 10.4).
 */
export async function noteAttempt(
  service: Pick<Service, 'now'>,
  database: Database,
  options: { delivery: AttemptedDelivery; outcome: AttemptOutcome },
): Promise<void> {
  const { delivery, outcome } = options
  const { deliveryId, attempts, createdAt } = delivery
  const now = service.now()
  const isDelivered = outcome.status !== undefined && outcome.status >= 200 && outcome.status < 300
  const next = now + pauseAfter(attempts)
  const isOver = outcome.status === 410 || next > createdAt.getTime() + retryMs
  await database
    .update(webhookDeliveries)
    .set({
      status: isDelivered ? 'delivered' : isOver ? 'failed' : 'pending',
      ...(!isDelivered && !isOver && { nextAttemptAt: new Date(next) }),
      lastStatus: outcome.status ?? null,
      lastError: outcome.error ?? null,
      updatedAt: new Date(now),
    })
    // Somebody else took it since, or it is to be sent again: theirs counts.
    .where(
      and(
        eq(webhookDeliveries.deliveryId, deliveryId),
        eq(webhookDeliveries.attempts, attempts),
        eq(webhookDeliveries.status, 'pending'),
      ),
    )
}

export type AttemptedDelivery = { deliveryId: string; attempts: number; createdAt: Date }
export type AttemptOutcome = {
  /** Of the answer. */
  status?: number | undefined
  /** Why there was none, in a word. */
  error?: string | undefined
}

const hourMs = 3_600_000
const retryMs = 24 * hourMs
/** Between attempts; the last one again and again. */
const pausesMs = [5_000, 30_000, 120_000, 600_000, 1_800_000, hourMs, 2 * hourMs, 4 * hourMs, 8 * hourMs]

export function pauseAfter(attempts: number): number {
  return pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? hourMs
}
