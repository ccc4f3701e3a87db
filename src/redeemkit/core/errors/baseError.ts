import { oneLine } from './oneLine.ts'
import { markOurs, safeCause } from './safeCause.ts'

/**
 * The base class of every error that redeemkit throws.
 *
 * `message` states what failed with the offending value, the field, and the fix, each on its own line. Quoted text cannot add
 * lines. `cause` is a redeemkit error, or a `ForeignCause` with only the name, class and code of any other error.
 * `switch (error.name)` narrows the type, because each subclass declares its name as a literal.
 */
export class BaseError extends Error {
  override readonly name: string = 'BaseError'
  /** What failed, in one sentence, with the offending value. */
  readonly shortMessage: string
  /** Path of the invalid field in the caller's data (`subtotal.cents`), if there is one. */
  readonly field: string | undefined
  /** How to fix the problem. */
  readonly fix: string | undefined
  /** The specification of the rule: an EIP, a SEP, an RFC, or a section of PROTOCOL.md. */
  readonly source: string | undefined

  constructor(shortMessage: string, options: BaseError.Options = {}) {
    const [short = '', field, fix] = [shortMessage, options.field, options.fix].map(
      // callers without TypeScript can pass other types
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

  /** Where the documentation in the package describes the error. */
  get docs(): string {
    return `redeemkit/docs/reference/errors.md#${this.name.toLowerCase()}`
  }

  /**
   * Walks down the chain of causes, starting with this error.
   *
   * @returns the first error for which `predicate` returns true, or `undefined`; without a predicate, the root cause
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

/** Error reporters log all own properties of an error, so fields that must not be logged are getters on the error's own prototype. */
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
