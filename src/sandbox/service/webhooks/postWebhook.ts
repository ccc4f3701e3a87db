import { webhookSignatureHeader } from '../../../redeemkit/core/headerNames.ts'
import type { AttemptOutcome } from './noteAttempt.ts'
import { signWebhook } from './signWebhook.ts'

/**
 * Sends a webhook once. Follows no redirect and reads no answer but its status. Never throws: what went wrong is told in a word,
 * without the address, which may hold a secret.
 */
export async function postWebhook(options: postWebhook.Options): Promise<AttemptOutcome> {
  const { url, event, secrets, seconds, headerPrefix, timeoutMs = 10_000, fetch = globalThis.fetch } = options
  const body = JSON.stringify(event)
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'redeemkit-sandbox',
        [webhookSignatureHeader(headerPrefix)]: signWebhook({ body, secrets, seconds }),
      },
      body,
      redirect: 'manual',
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    })
    await answer.body?.cancel().catch(() => {})
    return { status: answer.status }
  } catch (error) {
    return { error: wordFor(error) }
  }
}

export declare namespace postWebhook {
  type Options = {
    url: string
    event: object
    secrets: readonly string[]
    /** Unix time of the signature. */
    seconds: number
    headerPrefix: string | undefined
    timeoutMs?: number | undefined
    /** Ends the attempt early. */
    signal?: AbortSignal | undefined
    fetch?: typeof globalThis.fetch | undefined
  }
}

function wordFor(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  if (error.name === 'TimeoutError') return 'timeout'
  const { cause } = error
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' && /^[A-Z_]{2,40}$/.test(code) ? code : 'failed'
}
