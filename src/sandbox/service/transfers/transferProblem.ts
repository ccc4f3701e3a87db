import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { problem, ServiceProblem } from '../http/problem.ts'

/**
 * The wire error for what a chain's own code threw while a transfer was prepared.
 *
 * Told by name: the classes of the Stellar folder come with its optional SDK.
 */
export function transferProblem(error: unknown, fields: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof BaseError) || error instanceof ServiceProblem) return unreachable(error) ?? error
  const words = error.fix === undefined ? error.shortMessage : `${error.shortMessage} ${error.fix}`
  if (badRequests.has(error.name)) {
    const field = error.field ?? 'body'
    return problem('INVALID_REQUEST', words, { cause: error, issues: [fields[field] ?? field] })
  }
  if (unfit.has(error.name) || 'findings' in error)
    return problem('SIMULATION_FAILED', words, {
      cause: error,
      details: { revertReason: error.shortMessage, error: { name: error.name } },
    })
  // The SDK says no more when its server is away; and without its sponsor the service can do nothing either.
  if (error.name === 'MissingAccountError')
    return problem('UNAVAILABLE', 'The account that pays the fee could not be loaded.', { cause: error })
  return unreachable(error) ?? error
}

/** A 503, when the chain's node did not answer. */
export function unreachable(error: unknown): ServiceProblem | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 8; depth++) {
    const code = 'code' in current ? String(current.code) : ''
    if (
      /^(?:ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|UND_ERR|ERR_NETWORK)/.test(code) ||
      current.message === 'fetch failed'
    )
      return problem('UNAVAILABLE', 'The blockchain does not answer at the moment.', { cause: error })
    current = current.cause
  }
  return undefined
}

/** The request is wrong, whatever the chain says. */
const badRequests: ReadonlySet<string> = new Set([
  'InvalidAddressError',
  'InvalidAmountError',
  'InvalidMemoError',
  'InvalidOptionError',
  'InvalidTransactionError',
  'OwnerOffCurveError',
  'WrongPartyError',
])

/** The chain says that it would fail as things are. */
const unfit: ReadonlySet<string> = new Set([
  'InsufficientUsdcError',
  'MissingTokenAccountError',
  'ContractCallFailedError',
  'TrustlineError',
])
