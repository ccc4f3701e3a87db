import type { Finding } from '../finding/finding.ts'
import { BaseError } from './baseError.ts'

/** A transaction that does something else than was asked for. `findings` has all of it. */
export class RefusedTransactionError extends BaseError {
  override readonly name: string = 'RefusedTransactionError'
  readonly findings: readonly Finding[]

  constructor(
    shortMessage: string,
    options: BaseError.Options & { findings?: readonly Finding[] | undefined } = {},
  ) {
    super(shortMessage, options)
    this.findings = options.findings ?? []
  }
}

/** A transaction that moves another amount than was asked for. */
export class WrongAmountError extends RefusedTransactionError {
  override readonly name = 'WrongAmountError'
}

/** The customer holds less USDC than is to be paid. */
export class InsufficientUsdcError extends BaseError {
  override readonly name = 'InsufficientUsdcError'
}
