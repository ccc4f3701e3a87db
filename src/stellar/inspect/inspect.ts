import { type Inspection, verdictOf } from '../../core/finding/finding.ts'
import { readClock } from '../../core/time/clock.ts'
import { checkOptions } from '../checkOptions.ts'
import { networkOf } from '../networks.ts'
import { checkAddress } from '../signer/checkAddress.ts'
import { expectedInvocation } from '../transaction/expected.ts'
import { InvalidTransactionError } from '../transaction/parseTransaction.ts'
import {
  compare,
  type InspectDetails,
  type InspectedAuthorization,
  type InspectedOperation,
  type InspectionContext,
  type InspectOptions,
} from './context.ts'
import { inspectAuthEntry } from './inspectAuthEntry.ts'
import { inspectMessage } from './inspectMessage.ts'
import { inspectTransaction } from './inspectTransaction.ts'

/**
 * Says what a request to a Stellar wallet really asks for, and holds it against the one thing that was expected.
 *
 * Anything beyond is a danger: another operation, contract, function, argument, amount, destination, asset, issuer,
 * account, authorization or sub-invocation, a memo, a condition, a missing or long time limit, a large fee, a signature
 * that is not for this network. Without `expected` nothing can be compared; then the verdict is `caution` at best.
 *
 * @throws `InvalidBase64Error`, `InvalidTransactionError` when the request cannot be read at all; `InvalidAddressError`,
 * `InvalidAmountError` when `expected` cannot be meant
 * @example
 * ```ts
 * import { inspect } from 'redeemkit/stellar'
 * function look(transaction: string, address: string, to: string) {
 *   const expected = { kind: 'payment', from: address, to, amount: 10_000_000n } as const
 *   return inspect({ transaction }, { environment: 'prod', address, expected }).verdict
 * }
 * ```
 */
export function inspect(
  request: inspect.Request,
  options: inspect.Options,
): Inspection<inspect.Details | undefined> {
  const network = networkOf(options?.environment)
  checkOptions(options)
  const { domains = [] } = options
  const now = () => readClock(options.now)
  checkAddress(options.address, 'address')
  // Also says so when what is expected cannot be meant.
  const wanted = options.expected === undefined ? undefined : expectedInvocation(options.expected, network)
  const context: InspectionContext = { ...options, network, domains, now, wanted, findings: [] }
  const kinds = ['transaction', 'authEntry', 'message'].filter((name) => name in Object(request))
  if (kinds.length !== 1)
    throw new InvalidTransactionError(`The request has ${kinds.join(' and ') || 'nothing to sign'}.`, {
      field: 'request',
      fix: 'Inspect one thing: a transaction, an authEntry or a message.',
    })
  const { networkPassphrase = network.networkPassphrase } = request
  compare(context, 'WRONG_NETWORK', 'networkPassphrase', networkPassphrase, network.networkPassphrase)
  const [kind, summary, details] =
    'message' in request
      ? inspectMessage(request.message, context)
      : 'authEntry' in request
        ? inspectAuthEntry(request.authEntry, context)
        : inspectTransaction(request.transaction, context)
  const { findings } = context
  return { kind, summary, verdict: verdictOf(findings), findings, details }
}

export declare namespace inspect {
  /** What a dApp hands to `signTransaction`, `signAuthEntry` or `signMessage` of a SEP-43 wallet. */
  type Request = { networkPassphrase?: string | undefined } & (
    | { transaction: string }
    | { authEntry: string }
    | { message: string }
  )
  type Options = InspectOptions
  type Details = InspectDetails
  type Operation = InspectedOperation
  type Authorization = InspectedAuthorization
}
