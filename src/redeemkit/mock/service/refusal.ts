import type { WireErrorCode } from '../../core/errors/wireErrors.ts'

/** What the mock's service says no with; it becomes an answer of the wire (PROTOCOL.md 7.1). */
export class Refusal {
  constructor(
    readonly code: WireErrorCode,
    readonly message: string,
    readonly more: {
      details?: Readonly<Record<string, unknown>> | undefined
      issues?: readonly string[] | undefined
      retryAfterSeconds?: number | undefined
    } = {},
  ) {}
}
