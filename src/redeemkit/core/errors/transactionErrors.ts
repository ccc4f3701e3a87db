import type { Finding } from '../finding/finding.ts'
import type { FindingCode } from '../finding/findingCatalogue.ts'
import { BaseError } from './baseError.ts'

/** The transaction differs from the request. `findings` lists all differences. */
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

type RefusalClass<error> = new (
  shortMessage: string,
  options: BaseError.Options & { findings: readonly Finding[] },
) => error

export type Refusals<error> = Partial<Record<FindingCode, RefusalClass<error>>> &
  Record<'other', RefusalClass<error>>

/** The first danger determines the class of the error; the message names every danger. */
export function refusalOf<error>(findings: readonly Finding[], refusals: Refusals<error>): error | undefined {
  const dangers = findings.filter(({ severity }) => severity === 'danger')
  const [first] = dangers
  if (first === undefined) return undefined
  const Refusal = refusals[first.code] ?? refusals.other
  return new Refusal(dangers.map(({ message }) => message).join(' '), {
    field: first.field,
    fix: 'Do not sign it. Request a new one, and report this one to the service.',
    findings,
  })
}

/** The transaction moves a different amount than requested. */
export class WrongAmountError extends RefusedTransactionError {
  override readonly name = 'WrongAmountError'
}

/** The customer has less USDC than the payment. */
export class InsufficientUsdcError extends BaseError {
  override readonly name = 'InsufficientUsdcError'
}
