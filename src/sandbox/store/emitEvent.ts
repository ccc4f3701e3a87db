import { randomUUID } from 'node:crypto'
import type { DatabaseWork } from './database.ts'
import { rowsFrom, statement, toRows } from './statement.ts'
import { webhookEvents } from './tables/index.ts'

/** Call this in the database transaction of the cause. `data` has JSON values only. The returned id is the same for every delivery. */
export async function emitEvent(work: DatabaseWork, event: emitEvent.Event): Promise<string> {
  const [id = ''] = await emitEvents(work, [event])
  return id
}

export async function emitEvents(
  work: DatabaseWork,
  events: readonly emitEvent.Event[],
): Promise<readonly string[]> {
  const rows = events.map(({ at, ...event }) => ({ ...event, id: `evt_${randomUUID()}`, createdAt: at }))
  if (rows.length > 0) await insertEvents(work, { rows: toRows(webhookEvents, rows) })
  return rows.map(({ id }) => id)
}

const insertEvents = statement((database) => database.insert(webhookEvents).select(rowsFrom(webhookEvents)))

export declare namespace emitEvent {
  type Event = {
    merchantId: string
    /** Event type, such as `payment.settled` (PROTOCOL.md 10.4). */
    type: string
    data: Record<string, unknown>
    /** Time by the service's clock. */
    at: Date
  }
}
