import { createHmac } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import { and, eq } from 'drizzle-orm'
import { webhookSignatureHeader } from '../../../redeemkit/core/headerNames.ts'
import { forbiddenAddress, isMetadataAddress, lookupAllowed } from '../../servers/networks.ts'
import type { Database } from '../../store/database.ts'
import { webhookDeliveries, type webhookEvents } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'

/**
 * Returns a header with one `v1` per secret while a secret is being rotated (PROTOCOL.md 10.4). `seconds` is unix time, in sync with the
 * receiver's clock.
 */
function signWebhook(options: { body: string; secrets: readonly string[]; seconds: number }): string {
  const { body, secrets, seconds } = options
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`,
  )
  return [`t=${seconds}`, ...signatures].join(',')
}

export function eventBody(row: EventRow): EventBody {
  const { id, type, createdAt, data } = row
  return { id, type, createdAt: createdAt.toISOString(), data }
}

export type EventRow = typeof webhookEvents.$inferSelect
type EventBody = { id: string; type: string; createdAt: string; data: Record<string, unknown> }

/**
 * Follows no redirects and reads only the status. Does not throw: errors become a short text without the URL, which may contain a
 * secret.
 */
export async function postWebhook(options: postWebhook.Options): Promise<AttemptOutcome> {
  const { event, secrets, seconds, headerPrefix, timeoutMs = 10_000 } = options
  const url = new URL(options.url)
  const body = JSON.stringify(event)
  const timeout = AbortSignal.timeout(timeoutMs)
  // Prevents merchants from using this service to read the credentials of its machine.
  if (isMetadataAddress(url.hostname)) return { error: forbiddenAddress }
  try {
    const status = await post(url, {
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'redeemkit-sandbox',
        [webhookSignatureHeader(headerPrefix)]: signWebhook({ body, secrets, seconds }),
      },
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    })
    return { status }
  } catch (error) {
    return { error: timeout.aborted ? 'timeout' : reasonOf(error) }
  }
}

export declare namespace postWebhook {
  type Options = {
    url: string
    event: object
    secrets: readonly string[]
    seconds: number
    headerPrefix: string | undefined
    timeoutMs?: number | undefined
    signal?: AbortSignal | undefined
  }
}

function post(
  url: URL,
  { body, ...options }: { body: string; headers: Record<string, string>; signal: AbortSignal },
): Promise<number | undefined> {
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    request(url, { ...options, method: 'POST', lookup: lookupAllowed }, (response) => {
      resolve(response.statusCode)
      response.destroy()
    })
      .on('error', reject)
      // After a response with the status 101, nothing else is emitted.
      .on('close', reject)
      .end(body)
  })
}

function reasonOf(error: unknown): string {
  const code: unknown = Reflect.get(Object(error), 'code')
  return typeof code === 'string' && /^[A-Z_]{2,40}$/.test(code) ? code : 'failed'
}

/**
 * The delivery becomes `delivered` after a 2xx, and `failed` after 24 hours or a 410. Otherwise it is due again after an increasing pause
 * (PROTOCOL.md 10.4).
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
    // Changes nothing if another process has sent the webhook since, or if it was resent.
    .where(
      and(
        eq(webhookDeliveries.deliveryId, deliveryId),
        eq(webhookDeliveries.attempts, attempts),
        eq(webhookDeliveries.status, 'pending'),
      ),
    )
}

type AttemptedDelivery = { deliveryId: string; attempts: number; createdAt: Date }
export type AttemptOutcome = {
  status?: number | undefined
  error?: string | undefined
}

const hourMs = 3_600_000
const retryMs = 24 * 3_600_000
/** Pauses between attempts, in milliseconds. The last one is used repeatedly. */
const pausesMs = [5_000, 30_000, 120_000, 600_000, 1_800_000, hourMs, 2 * hourMs, 4 * hourMs, 8 * hourMs]

export function pauseAfter(attempts: number): number {
  return pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? hourMs
}
