import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { type Clock, type InvalidClockError, readClock } from '../core/clock.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { InvalidOptionError, type InvalidRecordError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { webhookSignatureHeader } from '../core/headerNames.ts'
import { InvalidJsonError, parseJson, type UnsafeJsonNumberError } from '../core/parseJson.ts'
import { loose } from '../schema/loose.ts'
import { parseRecord } from '../schema/parseRecord.ts'
import { type WebhookEvent, webhookEvent } from '../schema/webhookEvent.ts'
import { isSecret } from './callRequest.ts'

/**
 * Verifies the signature of a webhook and returns its event. The signature is `t=<unix seconds>,v1=<hex>`, an HMAC-SHA256 of
 * `<t>.<body>` with the merchant's webhook secret (PROTOCOL.md 10.4).
 *
 * An event may arrive twice or out of order. `orderKey` identifies the order of a `redeem.redeemed`; its `purchaseId` and `webhookInfo`
 * come from the customer. To fulfill an order once, store chain, hash and log index, or the payment id, in the database transaction that
 * fulfills it.
 *
 * @param options.body the raw body, because a body that was parsed and serialized again does not match its signature
 * @param options.headers the request's headers, or a plain object
 * @param options.secret the webhook secret, or several during a rotation
 * @param options.toleranceSeconds maximum difference between the signature's time and this clock. Default 300
 * @param options.headerName the name of the signature's header at another service, such as `stripe-signature`. Default:
 * `headerPrefix` and `signature`
 * @param options.parse parses the body of another service's event. Default: parses redeemkit's events, and keeps unknown types
 * @throws {@link InvalidWebhookSignatureError} for a missing, malformed or wrong signature; {@link StaleWebhookError} when its
 * time is too far off; InvalidJsonError, UnsafeJsonNumberError, InvalidRecordError for a signed body that is not an event;
 * InvalidOptionError, InvalidClockError
 * @example
 * ```ts
 * import { verifyWebhook } from 'redeemkit/merchant'
 * export async function POST(request: Request) {
 *   const secret = process.env.WEBHOOK_SECRET ?? ''
 *   const event = await verifyWebhook({ body: await request.text(), headers: request.headers, secret })
 *   if (event.type === 'redeem.redeemed') console.log(event.data.orderKey, event.data.amount)
 *   return new Response(null, { status: 204 })
 * }
 * ```
 */
export async function verifyWebhook(options: verifyWebhook.Options): Promise<WebhookEvent>
export async function verifyWebhook<event>(
  options: verifyWebhook.Options & { parse: (text: string) => event },
): Promise<event>
export async function verifyWebhook(
  options: verifyWebhook.Options & { parse?: (text: string) => unknown },
): Promise<unknown> {
  checkOptions<object>(options, kinds)
  const { headers, toleranceSeconds = 300, now, parse = parseEvent } = options
  const body = readBody(options.body)
  const secrets = readSecrets(options.secret)
  if (typeof toleranceSeconds !== 'number' || !(toleranceSeconds >= 0))
    throw new InvalidOptionError(`toleranceSeconds is ${showValue(toleranceSeconds)}.`, {
      field: 'toleranceSeconds',
      fix: 'Pass 0 or more seconds, or omit it.',
    })
  const headerName = options.headerName ?? webhookSignatureHeader(options.headerPrefix)
  const { time, signatures } = parseHeader(findHeader(headers, headerName), headerName)
  if (!(await isSigned({ time, body, secrets, signatures })))
    throw new InvalidWebhookSignatureError('No signature of the webhook matches its body and the secret.', {
      field: headerName,
      fix: 'Pass the raw body, and the secret of this endpoint.',
      source: 'PROTOCOL.md 10.4',
    })
  const ageSeconds = Math.floor(readClock(now) / 1000) - Number(time)
  if (Math.abs(ageSeconds) > toleranceSeconds)
    throw new StaleWebhookError(
      ageSeconds > 0
        ? `The webhook was signed ${ageSeconds} seconds ago; ${toleranceSeconds} are allowed.`
        : `The webhook was signed ${-ageSeconds} seconds ahead of this clock; ${toleranceSeconds} are allowed.`,
      {
        field: headerName,
        fix: 'Check the clock. The service signs every attempt again, so an old signature may be a replay.',
        source: 'PROTOCOL.md 10.4',
      },
    )
  return parse(decode(body))
}

export declare namespace verifyWebhook {
  type Options = {
    body: string | Uint8Array
    headers: WebhookHeaders
    secret: string | readonly string[]
    toleranceSeconds?: number | undefined
    /** Default `Date.now`. */
    now?: Clock | undefined
    /** Prefix of the service's header names. Default `x-svc-`. */
    headerPrefix?: string | undefined
    headerName?: string | undefined
  }
  /** `Headers`, or Node's `request.headers`. */
  type WebhookHeaders =
    | { get: (name: string) => string | null }
    | Readonly<Record<string, string | readonly string[] | undefined>>
  type ErrorType =
    | InvalidWebhookSignatureError
    | StaleWebhookError
    | InvalidJsonError
    | UnsafeJsonNumberError
    | InvalidRecordError
    | InvalidOptionError
    | InvalidClockError
}

const kinds: OptionKinds<verifyWebhook.Options & { parse?: unknown }> = {
  body: 'any',
  headers: 'object',
  secret: 'any',
  toleranceSeconds: 'any',
  now: 'any',
  headerPrefix: 'any',
  headerName: 'string?',
  parse: 'function?',
}

function parseEvent(text: string): WebhookEvent {
  return parseRecord(loose(webhookEvent), parseJson(text, { field: 'body' }), { record: 'The webhook' })
}

function readBody(body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return new Uint8Array(body)
  throw new InvalidOptionError(`The body is ${showValue(body)}.`, {
    field: 'body',
    fix: 'Pass the raw text or bytes of the request body.',
  })
}

function readSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (Array.isArray(secrets) && secrets.length > 0 && secrets.every(isSecret)) return secrets
  throw new InvalidOptionError('The webhook secret is missing or empty.', {
    field: 'secret',
    fix: 'Pass the secret of the webhook endpoint, or a list of secrets during a rotation.',
  })
}

function findHeader(headers: verifyWebhook.WebhookHeaders, name: string): string | undefined {
  // a plain object may have a header named `get`
  if ('get' in headers && typeof headers.get === 'function') return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
  return typeof found === 'string' || found === undefined ? found : found.join(',')
}

/** Reads the items of the header in any order, and ignores unknown schemes. */
function parseHeader(text: string | undefined, field: string) {
  if (text === undefined)
    throw new InvalidWebhookSignatureError('The webhook has no signature.', {
      field,
      fix: 'Pass all headers of the request, and the header name or prefix that the service uses.',
      source: 'PROTOCOL.md 10.4',
    })
  const items = text.split(',').map((item) => item.trim())
  const valuesOf = (key: string) =>
    items.filter((item) => item.startsWith(`${key}=`)).map((item) => item.slice(key.length + 1))
  const [time, ...otherTimes] = valuesOf('t')
  const signatures = valuesOf('v1').filter((value) => /^[0-9a-f]{64}$/i.test(value))
  const isWhole = time !== undefined && /^\d{1,12}$/.test(time) && otherTimes.length === 0
  if (!isWhole || signatures.length === 0 || signatures.length > maxSignatures)
    throw new InvalidWebhookSignatureError(`The webhook's signature is ${showValue(text)}.`, {
      field,
      fix: 'Expected t=<unix seconds>,v1=<64 hex digits>, with one t and at least one v1.',
      source: 'PROTOCOL.md 10.4',
    })
  return { time, signatures }
}

/** Limits the work that a request without a valid signature can cause. */
const maxSignatures = 8

/** Whether a secret signed the body. Compares every signature for every secret, in constant time (Web Crypto), even after a match. */
async function isSigned(options: {
  time: string
  body: Uint8Array
  secrets: readonly string[]
  signatures: readonly string[]
}): Promise<boolean> {
  const { time, body, secrets, signatures } = options
  const head = new TextEncoder().encode(`${time}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  const { subtle } = globalThis.crypto
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const fits: boolean[] = []
  for (const secret of secrets) {
    const key = await subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify'])
    for (const signature of signatures)
      fits.push(await subtle.verify('HMAC', key, fromHex(signature), signed))
  }
  return fits.includes(true)
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (cause) {
    throw new InvalidJsonError('The body of the webhook is not UTF-8.', { field: 'body', cause })
  }
}

/** The webhook's signature is missing or wrong. */
export class InvalidWebhookSignatureError extends BaseError {
  override readonly name = 'InvalidWebhookSignatureError'
}

/** The signature is valid, but its time is too long ago, or in the future. */
export class StaleWebhookError extends BaseError {
  override readonly name = 'StaleWebhookError'
}
