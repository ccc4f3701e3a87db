import type { Address, Hex } from 'viem'
import { OutcomeUnknownError, RequestAbortedError } from '../api/errors.ts'
import { BaseError } from '../core/errors/baseError.ts'
import {
  OrderUsedError,
  RedeemCancelledError,
  RedeemExpiredError,
  RedeemRevertedError,
  RedeemTimeoutError,
} from './errors.ts'
import type { SignedRedeem } from './preparedRedeem.ts'

/**
 * A redeem whose permit has left this machine: it may execute until the chain has passed `validBefore`, whatever anybody
 * answers in between (PROTOCOL.md 7.4). `waitForRedeem` and `findRedeem` take it as it is.
 */
export type OpenRedeem = {
  readonly wallet: Address
  readonly chainId: number
  readonly creditsContract: Address
  readonly nonce: Hex
  /** Unix seconds from which on the permit is dead. */
  readonly validBefore: string
  /** There when the nonce commits to nothing, and the contract tells nothing about it. */
  readonly intentBound?: false | undefined
  /** The hash that the service named, if it named one. */
  readonly hash?: Hex | undefined
  /** What was sent, to be sent again by `submitRedeem`. Not enumerable: it holds the signatures. */
  readonly signed?: SignedRedeem | undefined
}

/** An error of a redeem that may still execute. */
export type OpenRedeemError = (
  | OutcomeUnknownError
  | RedeemRevertedError
  | RedeemTimeoutError
  | RequestAbortedError
) &
  OpenRedeem & { readonly remedy: 'lookUp' }

/**
 * Whether a redeem that failed may still execute. Then the way on is to look it up, to send the same again, or to call
 * `redeem` again with the same request and storage; never to sign another one for the same purchase.
 *
 * @example
 * ```ts
 * import { type EvmClient, isOpenRedeemError, waitForRedeem } from 'redeemkit'
 * const afterwards = (publicClient: EvmClient, error: unknown) =>
 *   isOpenRedeemError(error) ? waitForRedeem(publicClient, error) : undefined
 * ```
 */
export function isOpenRedeemError(error: unknown): error is OpenRedeemError {
  return (
    error instanceof BaseError &&
    'remedy' in error &&
    error.remedy === 'lookUp' &&
    'creditsContract' in error &&
    'validBefore' in error
  )
}

/** The redeem that a signed one is, once it has left. */
export function openRedeemOf(signed: SignedRedeem, hash?: Hex): OpenRedeem {
  const { wallet, chainId, pinned, answer } = signed.prepared
  const { nonce, validBefore } = answer
  const { creditsContract, intentBound } = pinned
  return {
    wallet,
    chainId,
    creditsContract,
    nonce,
    validBefore,
    signed,
    ...(intentBound === false && { intentBound }),
    ...(hash && { hash }),
  }
}

/** Puts what is needed to go on onto an error; the signatures out of sight of logs. */
export function carryOpenRedeem<error extends BaseError>(error: error, open: Partial<OpenRedeem>): error {
  const { signed, ...fields } = open
  Object.assign(error, fields)
  if (signed !== undefined) Object.defineProperty(error, 'signed', { value: signed, configurable: true })
  return error
}

/**
 * What a failure is once a permit has left: an error that says so, and carries what is needed to go on. What the chain
 * has decided stays what it is.
 */
export function openRedeemError(
  error: unknown,
  open: OpenRedeem,
): OpenRedeemError | OrderUsedError | RedeemCancelledError | RedeemExpiredError {
  if (
    error instanceof OrderUsedError ||
    error instanceof RedeemCancelledError ||
    error instanceof RedeemExpiredError
  )
    return error
  // It carries now what the type says.
  return carryOpenRedeem(toCarrier(error, open), open) as OpenRedeemError
}

function toCarrier(error: unknown, open: OpenRedeem): BaseError {
  if (
    error instanceof OutcomeUnknownError ||
    error instanceof RedeemRevertedError ||
    error instanceof RedeemTimeoutError
  )
    return error
  if (error instanceof RequestAbortedError)
    return error.remedy === 'lookUp' ? error : new RequestAbortedError({ sent: true })
  // What the caller's own onStep throws is no error of ours.
  const cause =
    error instanceof BaseError ? error : new BaseError('A function of the caller failed.', { cause: error })
  return new OutcomeUnknownError(withoutAdvice(cause), open)
}

/** What was advised for a redeem of which nothing had left, such as that nothing was sent, is wrong now. */
export function withoutAdvice<error extends BaseError>(error: error): error {
  for (let at: unknown = error; at instanceof BaseError; at = at.cause) {
    const { message, shortMessage, stack } = at
    Object.assign(at, {
      message: shortMessage,
      fix: undefined,
      stack: stack?.replace(message, () => shortMessage),
    })
  }
  return error
}
