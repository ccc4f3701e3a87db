import type { WireErrorCode } from '../../../../redeemkit/core/errors/wireErrors.ts'
import type { FieldName } from './cardFields.ts'
import { type Channel, isRecord, type Settings, type Start, textOf } from './channel.ts'
import type { Price } from './view.ts'

/** Why no payment was made. */
export type Refusal = {
  code: string
  message: string
  paymentId?: string | undefined
  reason?: string | undefined
}

export const noAnswer: Refusal = { code: 'UNAVAILABLE', message: 'The service does not respond.' }

export function refusalOf(answer: Answer): Refusal {
  const { body } = answer
  const details = detailsOf(body)
  return {
    code: codeOf(answer),
    message: textOf(body.message, 2_000) ?? `The service responded with ${answer.status}.`,
    paymentId: textOf(details.paymentId ?? body.paymentId, 256),
    reason: textOf(details.reason, 64),
  }
}

/** Whether the service created a payment. A request that was rejected earlier has no payment id. */
export function isOfPayment(answer: Answer): boolean {
  return (
    answer.status === 200 || challengeOf(answer) !== undefined || refusalOf(answer).paymentId !== undefined
  )
}

export const fieldsOfCodes: Readonly<Record<string, FieldName>> = {
  INVALID_CARD_NUMBER: 'number',
  CARD_EXPIRED: 'expiry',
  INVALID_CVV: 'cvv',
} satisfies Partial<Record<WireErrorCode, FieldName>>

/** Reads the card's totals (PROTOCOL.md 11.21). */
export function readPrice(totals: unknown): Price | undefined {
  if (!isRecord(totals)) return undefined
  const total = centsOf(totals.total)
  const subtotal = centsOf(totals.subtotal)
  if (total === undefined || subtotal === undefined) return undefined
  const lines = Array.isArray(totals.lines) ? totals.lines : []
  return {
    currency: total.currency,
    totalCents: total.cents,
    subtotalCents: subtotal.cents,
    lines: lines.flatMap((line: unknown) => {
      const { label, cents } = isRecord(line) ? line : {}
      return typeof label === 'string' && typeof cents === 'number'
        ? [{ label: label.slice(0, 120), cents }]
        : []
    }),
  }
}

function centsOf(value: unknown): { cents: number; currency: string } | undefined {
  if (!isRecord(value) || typeof value.cents !== 'number') return undefined
  return { cents: value.cents, currency: typeof value.currency === 'string' ? value.currency : 'USD' }
}

export type Answer = { status: number; body: Record<string, unknown> }

/** Resolves to undefined without a usable response. */
export type Post = (path: string, body: Record<string, unknown>) => Promise<Answer | undefined>

/** After a 401, repeats the call once with a new session key. */
export function callsOf(
  settings: Settings,
  { start, channel }: { start: Start; channel: Pick<Channel, 'askSessionKey'> },
): Post {
  const { headers: names } = settings
  let { sessionKey } = start
  const deviceId = start.deviceId ?? ownDeviceId()
  const send = async (path: string, body: Record<string, unknown>): Promise<Answer | undefined> => {
    const { wallet, blockchain, userId } = start
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      [names.sessionKey]: sessionKey,
      ...(wallet !== undefined && { [names.wallet]: wallet }),
      ...(blockchain !== undefined && { [names.blockchain]: blockchain }),
      ...(userId !== undefined && { [names.userId]: userId }),
      [names.deviceId]: deviceId,
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
  /** The pending request for a new session key, shared by calls that were rejected at the same time. */
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

/** Returns a device id for pages that pass none, stored in this browser. Without storage, each form gets a new id. */
function ownDeviceId(): string {
  const name = 'card-form device'
  const drawn = [...crypto.getRandomValues(new Uint32Array(4))].join('-')
  try {
    const kept = localStorage.getItem(name) ?? drawn
    localStorage.setItem(name, kept)
    return kept
  } catch {
    return drawn
  }
}

/** Whether a response leaves the outcome unknown, so that the same request can be repeated. */
export function isUndecided({ status }: Answer): boolean {
  return status >= 500 || status === 408 || status === 429
}

/** Returns an error's code, even if the service sends none (PROTOCOL.md 4.6, 7.1). */
export function codeOf({ status, body }: Answer): string {
  const code = textOf(body.code, 40)
  if (code !== undefined) return code
  if (status === 412 && challengeOf({ status, body }) !== undefined)
    return 'CHALLENGE_REQUIRED' satisfies WireErrorCode
  return codesOfStatus[status] ?? ('INVALID_REQUEST' satisfies WireErrorCode)
}

export const isCode = (code: string, wanted: WireErrorCode): boolean => code === wanted

const codesOfStatus: Readonly<Record<number, WireErrorCode>> = {
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

function detailsOf(body: Record<string, unknown>): Record<string, unknown> {
  return isRecord(body.details) ? body.details : {}
}

/** Data to repeat a checkout that may have been sent. Contains only the card's token, not the card. */
export type Attempt = {
  /** The checkout's body without the order. Undefined before the first click. */
  body?: Record<string, unknown>
  /** Time of the first request. */
  sentAt?: number
  challenge?: { transactionId: string; url: string }
}

/**
 * Stores an attempt across reloads of this tab. If the browser blocks storage in third-party frames, the form starts over with the same
 * purchase id, and a pending challenge expires.
 */
export function attemptsOf(key: string): {
  read: () => Attempt
  write: (attempt: Attempt | undefined) => void
} {
  const name = `card-form ${key}`
  return {
    read: () => {
      try {
        const kept: unknown = JSON.parse(sessionStorage.getItem(name) ?? 'null')
        return isRecord(kept) ? kept : {} // this form stored the value
      } catch {
        // The storage may be blocked, or contain another program's data.
        return {}
      }
    },
    write: (attempt) => {
      try {
        if (attempt === undefined) sessionStorage.removeItem(name)
        else sessionStorage.setItem(name, JSON.stringify(attempt))
      } catch {
        // The attempt is not stored, but the service still finds the purchase by its id.
      }
    },
  }
}
