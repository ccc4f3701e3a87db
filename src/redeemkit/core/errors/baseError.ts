import { oneLine } from './oneLine.ts'
import { markOurs, safeCause } from './safeCause.ts'

/**
 * The root of every error that redeemkit throws.
 *
 * `message` states what failed with the offending value, the field, and the fix, each on its own line; quoted text cannot add
 * lines. `cause` is another redeemkit error, or a `ForeignCause` with only the name, class and code of any other error. `switch
 * (error.name)` narrows, because each subclass declares its name as a literal.
 */
export class BaseError extends Error {
  override readonly name: string = 'BaseError'
  /** What failed, in one sentence, with the offending value. */
  readonly shortMessage: string
  /** Path of the invalid field, as the caller wrote it (`subtotal.cents`), if there is one. */
  readonly field: string | undefined
  /** How to fix it. */
  readonly fix: string | undefined
  /** The specification: an EIP, a SEP, an RFC, or a section of PROTOCOL.md. */
  readonly source: string | undefined

  constructor(shortMessage: string, options: BaseError.Options = {}) {
    const [short = '', field, fix] = [shortMessage, options.field, options.fix].map(
      // JavaScript callers may pass other types
      (text) => (text === undefined ? undefined : oneLine(String(text))),
    )
    const lines = [short]
    if (field !== undefined) lines.push(`Field: ${field}`)
    if (fix !== undefined) lines.push(`What to do: ${fix}`)
    if (options.source !== undefined) lines.push(`See: ${options.source}`)
    const cause = safeCause(options.cause)
    super(lines.join('\n'), cause === undefined ? undefined : { cause })
    this.shortMessage = short
    this.field = field
    this.fix = fix
    this.source = options.source
    markOurs(this)
  }

  /** The error's entry in the documentation, which the package contains. */
  get docs(): string {
    return `redeemkit/docs/reference/errors.md#${this.name.toLowerCase()}`
  }

  /**
   * Walks from this error down its `cause` chain.
   *
   * @returns the first error for which `predicate` holds, `undefined` if no error matches; without a predicate, the root cause
   */
  walk(predicate?: (error: unknown) => boolean): unknown {
    let current: unknown = this
    const seen = new Set<unknown>()
    for (;;) {
      if (predicate?.(current)) return current
      seen.add(current)
      const next: unknown = current instanceof Error ? current.cause : undefined
      if (next === undefined || next === null || seen.has(next))
        return predicate === undefined ? current : undefined
      current = next
    }
  }
}

/**
 * Adds fields that belong in no log. Error reporters read all own properties of an error, so these are getters on a prototype of its
 * own.
 */
export function addHidden<error extends BaseError>(error: error, fields: object): error {
  const getters = Object.entries(fields).map(([name, value]) => [name, { get: () => value }])
  return Object.setPrototypeOf(
    error,
    Object.create(Object.getPrototypeOf(error), Object.fromEntries(getters)),
  )
}

export declare namespace BaseError {
  type Options = {
    field?: string | undefined
    fix?: string | undefined
    source?: string | undefined
    cause?: unknown
  }
}
