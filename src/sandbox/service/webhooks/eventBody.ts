import type { webhookEvents } from '../../store/tables/index.ts'

/** What is sent of an event (PROTOCOL.md 10.4). */
export function eventBody(row: EventRow): EventBody {
  const { id, type, createdAt, data } = row
  return { id, type, createdAt: createdAt.toISOString(), data }
}

export type EventRow = typeof webhookEvents.$inferSelect
export type EventBody = { id: string; type: string; createdAt: string; data: Record<string, unknown> }
