import type { WireErrorCode } from '../../core/errors/wireErrors.ts'

/** A request that the handler refuses: caught by the handler itself, which answers it. */
export class Refusal extends Error {
  readonly code: WireErrorCode
  readonly issues: readonly string[]
  /** The method that would do. */
  readonly allow: string | undefined

  constructor(code: WireErrorCode, message: string, options: Refusal.Options = {}) {
    super(message)
    this.code = code
    this.issues = options.issues ?? []
    this.allow = options.allow
  }
}

export declare namespace Refusal {
  type Options = { issues?: readonly string[] | undefined; allow?: string | undefined }
}
