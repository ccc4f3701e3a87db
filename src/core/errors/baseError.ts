/**
 * The root of every error that redeemkit throws.
 *
 * `message` says what failed with the offending value, which field it concerns, and what to do about it.
 * `switch (error.name)` narrows, because each subclass declares its name as a literal.
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
    const lines = [shortMessage]
    if (options.field !== undefined) lines.push(`Field: ${options.field}`)
    if (options.fix !== undefined) lines.push(`What to do: ${options.fix}`)
    if (options.docs !== undefined) lines.push(`See: ${options.docs}`)
    super(lines.join('\n'), options.cause === undefined ? undefined : { cause: options.cause })
    this.shortMessage = shortMessage
    this.field = options.field
    this.fix = options.fix
    this.docs = options.docs
  }

  /**
   * Walks from this error down its `cause` chain.
   *
   * @returns the first error for which `predicate` holds, `undefined` when none does; without a predicate, the root cause.
   */
  walk(predicate?: (error: unknown) => boolean): unknown {
    let current: unknown = this
    for (;;) {
      if (predicate?.(current)) return current
      const next: unknown = current instanceof Error ? current.cause : undefined
      if (next === undefined || next === null) return predicate === undefined ? current : undefined
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
