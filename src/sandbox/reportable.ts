import { BaseError } from '../redeemkit/core/errors/baseError.ts'
import { readForeign, safeCause } from '../redeemkit/core/errors/safeCause.ts'

/**
 * An error as it may be logged. Ours is clean. Of any other one name, code and where it came from are kept: a database's quotes the
 * parameters of its query, and a node's client the request, with signatures and addresses that carry a key.
 */
export function reportable(error: unknown): unknown {
  if (error instanceof BaseError && safeCause(error) === error) return error
  return new UnforeseenError(error)
}

/** Something failed that nobody has foreseen. */
class UnforeseenError extends BaseError {
  override readonly name = 'UnforeseenError'

  constructor(cause: unknown) {
    const { name, code } = readForeign(cause) ?? {}
    super(`Unforeseen: ${name ?? 'an error'}${code === undefined ? '' : `, code ${code}`}.`, { cause })
    // The frames alone: the message stands above them.
    const frames = cause instanceof Error ? (cause.stack ?? '').split('\n').filter(isFrame) : []
    if (frames.length > 0)
      Object.defineProperty(this, 'stack', { value: [`${this.name}: ${this.message}`, ...frames].join('\n') })
  }
}

function isFrame(line: string): boolean {
  return /^ {4}at [^\n]{1,300}:\d+:\d+\)?$/.test(line)
}
