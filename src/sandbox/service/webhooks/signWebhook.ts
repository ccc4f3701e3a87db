import { createHmac } from 'node:crypto'

/**
 * The value of a webhook's signature header (PROTOCOL.md 10.4): a `v1` for each secret, while one replaces another.
 *
 * @param options.seconds unix time, by the clock that the receiver's is like
 */
export function signWebhook(options: { body: string; secrets: readonly string[]; seconds: number }): string {
  const { body, secrets, seconds } = options
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`,
  )
  return [`t=${seconds}`, ...signatures].join(',')
}
