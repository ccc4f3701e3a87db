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

/** Maps the error of a payment or a transaction to a reason. Insufficient funds are the only reason that the user can act on. */
export function paymentRefusal(error: unknown): AskRefusal {
  const { name, shortMessage, message } = Object(error)
  const reason = String(shortMessage ?? message)
  const isShort = /^Insufficient/.test(name) || /insufficient.* (?:funds|balance)/i.test(reason)
  return new AskRefusal(isShort ? 'noFunds' : 'failed', reason)
}
