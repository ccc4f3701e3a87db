import { oneLine } from './oneLine.ts'
import { markOurs, safeCause } from './safeCause.ts'

/**
 * The root of every error that redeemkit throws.
 *
 * `message` says what failed with the offending value, which field it concerns, and what to do about it, each on a line
 * of its own: text of others cannot add a line. `cause` is another error of ours as it is, or a `ForeignCause`, which keeps
 * name, class and code of anything else. `switch (error.name)` narrows, because each subclass declares its name as a
 * literal.
 */
export class BaseError extends Error {
  override readonly name: string = 'BaseError'
  /** What failed, in one sentence, with the offending value. */
  readonly shortMessage: string
  /** Path of the field at fault, as the caller wrote it (`subtotal.cents`), when one field is at fault. */
  readonly field: string | undefined
  /** What to do about it. */
  readonly fix: string | undefined
  /** Where it is specified: an EIP, a SEP, an RFC, or a section of PROTOCOL.md. */
  readonly docs: string | undefined

  constructor(shortMessage: string, options: BaseError.Options = {}) {
    const [short = '', field, fix] = [shortMessage, options.field, options.fix].map(
      // Plain JavaScript may give something else as a field.
      (text) => (text === undefined ? undefined : oneLine(String(text))),
    )
    const lines = [short]
    if (field !== undefined) lines.push(`Field: ${field}`)
    if (fix !== undefined) lines.push(`What to do: ${fix}`)
    if (options.docs !== undefined) lines.push(`See: ${options.docs}`)
    const cause = safeCause(options.cause)
    super(lines.join('\n'), cause === undefined ? undefined : { cause })
    this.shortMessage = short
    this.field = field
    this.fix = fix
    this.docs = options.docs
    markOurs(this)
  }

  /**
   * Walks from this error down its `cause` chain.
   *
   * @returns the first error for which `predicate` holds, `undefined` when none does; without a predicate, the root cause.
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

export declare namespace BaseError {
  type Options = {
    field?: string | undefined
    fix?: string | undefined
    docs?: string | undefined
    cause?: unknown
  }
}
