import type { AskFailure } from '../messages.ts'

/** A failure that a window may show. */
export class AskRefusal extends Error {
  override readonly name = 'AskRefusal'
  readonly code: AskFailure['code']
  readonly field: string | undefined

  constructor(code: AskFailure['code'], message: string, field?: string) {
    super(message)
    this.code = code
    this.field = field
  }
}
