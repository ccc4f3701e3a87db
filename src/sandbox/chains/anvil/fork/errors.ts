import { BaseError } from '../../../../redeemkit/core/errors/baseError.ts'

/**
 * What is wrong with an endpoint that a chain is to be forked from:
 *
 * - `unreachable`: there is no connection; `silent`: a connection, and no answer
 * - `refused`: it wants another key, or none of this caller; `rateLimited`: it has had enough of this caller
 * - `notJsonRpc`: what it answers is no JSON-RPC, a web page for example; `failed`: it answers with an error
 * - `otherChain`: it is the endpoint of another chain
 * - `futureBlock`: the block that is pinned is not there yet; `missingBlock`: the endpoint has not, or not any more, the block
 *   or its state
 */
export type ForkProblem =
  | 'unreachable'
  | 'silent'
  | 'refused'
  | 'rateLimited'
  | 'notJsonRpc'
  | 'failed'
  | 'otherChain'
  | 'futureBlock'
  | 'missingBlock'

/** A chain cannot be forked from the endpoint that was given. The message shows its host, and nothing that may be a key. */
export class ForkOriginError extends BaseError {
  override readonly name = 'ForkOriginError'
  readonly problem: ForkProblem
  /** Whether it may well answer when it is asked again in a moment. */
  readonly isPassing: boolean

  constructor(
    shortMessage: string,
    {
      problem,
      isPassing = false,
      ...options
    }: BaseError.Options & { problem: ForkProblem; isPassing?: boolean | undefined },
  ) {
    super(shortMessage, options)
    this.problem = problem
    this.isPassing = isPassing
  }
}
