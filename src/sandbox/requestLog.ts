import { BaseError } from '../redeemkit/core/errors/baseError.ts'
import { readForeign, safeCause } from '../redeemkit/core/errors/safeCause.ts'

/** Log entry of an answered request. It has no headers, query or body, so it contains no secrets. */
export type RequestLogEntry = {
  /** Time by the service's clock, ISO 8601. */
  time: string
  /** The `x-request-id` of the response. */
  id: string
  /** The caller's `x-request-id`, if it has 1 to 64 letters, digits, `.`, `_`, `:` or `-`. */
  callerId?: string
  method: string
  /** The route's pattern, such as `/api/checkout/card/:merchantId`; null for an unknown path. */
  route: string | null
  status: number
  ms: number
  merchantId?: string
  /** Code of the error, if the response is one. */
  code?: string
}

/**
 * Makes an error safe to log. Of other libraries' errors, only name, code and stack frames are kept: a database error quotes
 * parameters, and a node error quotes the request, with signatures and URLs that contain keys.
 */
export function reportable(error: unknown): unknown {
  if (error instanceof BaseError && safeCause(error) === error) return error
  return new UnforeseenError(error)
}

/** An error that redeemkit did not expect, reduced to what is safe to log. */
class UnforeseenError extends BaseError {
  override readonly name = 'UnforeseenError'

  constructor(cause: unknown) {
    const { name, code } = readForeign(cause) ?? {}
    super(`Unexpected error: ${name ?? 'an error'}${code === undefined ? '' : `, code ${code}`}.`, { cause })
    // Keeps only the frames, because the first lines contain the message.
    const frames = cause instanceof Error ? (cause.stack ?? '').split('\n').filter(isFrame) : []
    if (frames.length > 0)
      Object.defineProperty(this, 'stack', { value: [`${this.name}: ${this.message}`, ...frames].join('\n') })
  }
}

function isFrame(line: string): boolean {
  return /^ {4}at [^\n]{1,300}:\d+:\d+\)?$/.test(line)
}
