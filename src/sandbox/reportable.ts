import { BaseError } from '../redeemkit/core/errors/baseError.ts'
import { readForeign, safeCause } from '../redeemkit/core/errors/safeCause.ts'

/**
 * Returns an error that is safe to log. redeemkit errors are safe. Of other errors, only name, code and stack frames are
 * kept, because a database error quotes query parameters, and a node error quotes the request, with signatures and URLs
 * that contain keys.
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
