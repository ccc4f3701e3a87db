import type { Finding } from '../finding/finding.ts'
import type { FindingCode } from '../finding/findingCatalogue.ts'
import { BaseError } from './baseError.ts'

/** A transaction differs from what was requested. `findings` lists all differences. */
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

/** The class of error for each finding that has its own. */
export type Refusals<error> = {
  readonly [code in FindingCode]?: new (
    shortMessage: string,
    options: BaseError.Options & { findings: readonly Finding[] },
  ) => error
}

/** A transaction moves another amount than requested. */
export class WrongAmountError extends RefusedTransactionError {
  override readonly name = 'WrongAmountError'
}

/** The customer has less USDC than the payment. */
export class InsufficientUsdcError extends BaseError {
  override readonly name = 'InsufficientUsdcError'
}
