import type { Channel, Start } from './channel.ts'
import { isRecord, textOf } from './isRecord.ts'
import type { Settings } from './settings.ts'

/** An answer of the service, whatever its status. */
export type Answer = { status: number; body: Record<string, unknown> }

/** Resolves to undefined when no answer came, or none that makes sense. */
export type Post = (path: string, body: Record<string, unknown>) => Promise<Answer | undefined>

/** Calls of the service under the customer's session key; after a 401 with another one, once. */
export function callsOf(
  settings: Settings,
  { start, channel }: { start: Start; channel: Pick<Channel, 'askSessionKey'> },
): Post {
  const { headers: names } = settings
  let { sessionKey } = start
  const send = async (path: string, body: Record<string, unknown>): Promise<Answer | undefined> => {
    const { wallet, blockchain, userId, deviceId } = start
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      [names.sessionKey]: sessionKey,
      ...(wallet !== undefined && { [names.wallet]: wallet }),
      ...(blockchain !== undefined && { [names.blockchain]: blockchain }),
      ...(userId !== undefined && { [names.userId]: userId }),
      ...(deviceId !== undefined && { [names.deviceId]: deviceId }),
    }
    try {
      const response = await fetch(path, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(answerMs),
      })
      const answer: unknown = await response.json()
      return isRecord(answer) ? { status: response.status, body: answer } : undefined
    } catch {
      return undefined
    }
  }
  /** What several calls wait for that were refused at once. */
  let another: Promise<string | undefined> | undefined
  return async (path, body) => {
    const used = sessionKey
    const answer = await send(path, body)
    if (answer?.status !== 401) return answer
    if (sessionKey === used) {
      another ??= channel.askSessionKey().finally(() => {
        another = undefined
      })
      sessionKey = (await another) ?? sessionKey
    }
    return sessionKey === used ? answer : send(path, body)
  }
}

const answerMs = 30_000

/** Whether an answer decides nothing: the same may be sent again. */
export function isUndecided({ status }: Answer): boolean {
  return status >= 500 || status === 408 || status === 429
}

/** The code of an error, also of services that answer none (PROTOCOL.md 4.6, 7.1). */
export function codeOf({ status, body }: Answer): string {
  const code = textOf(body.code, 40)
  if (code !== undefined) return code
  if (status === 412 && challengeOf({ status, body }) !== undefined) return 'CHALLENGE_REQUIRED'
  return codesOfStatus[status] ?? 'INVALID_REQUEST'
}

const codesOfStatus: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  402: 'CARD_DECLINED',
  403: 'FORBIDDEN',
  409: 'PAYMENT_STATE',
  423: 'CUSTOMER_BLOCKED',
  429: 'RATE_LIMITED',
}

export function challengeOf({ body }: Answer): { transactionId: string; url: string } | undefined {
  const { transactionId, url } = { ...body, ...detailsOf(body) }
  const id = textOf(transactionId, 256)
  const address = textOf(url, 2_048)
  if (id === undefined || address === undefined || !/^https?:\/\//.test(address)) return undefined
  return { transactionId: id, url: address }
}

export function detailsOf(body: Record<string, unknown>): Record<string, unknown> {
  return isRecord(body.details) ? body.details : {}
}
