import { randomUUID } from 'node:crypto'
import type { DatabaseWork } from './database.ts'
import { webhookEvents } from './tables/index.ts'

/**
 * Notes what a merchant is to be told, in the database transaction of what happened: neither is there without the other.
 *
 * @param event.data plain JSON
 * @returns the event's id, the same each time it is sent
 */
export async function emitEvent(work: DatabaseWork, event: emitEvent.Event): Promise<string> {
  const [id = ''] = await emitEvents(work, [event])
  return id
}

/** Several at once, in their order. */
export async function emitEvents(
  work: DatabaseWork,
  events: readonly emitEvent.Event[],
): Promise<readonly string[]> {
  const rows = events.map(({ at, ...event }) => ({ ...event, id: `evt_${randomUUID()}`, createdAt: at }))
  if (rows.length > 0) await work.insert(webhookEvents).values(rows)
  return rows.map(({ id }) => id)
}

export declare namespace emitEvent {
  type Event = {
    merchantId: string
    /** As `payment.settled` (PROTOCOL.md 10.4). */
    type: string
    data: Record<string, unknown>
    /** By the service's clock. */
    at: Date
  }
}
