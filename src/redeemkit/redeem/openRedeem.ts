import type { Address, Hex } from 'viem'
import { OutcomeUnknownError, type RequestAbortedError } from '../api/errors.ts'
import { afterSubmit } from '../api/gaslessCalls.ts'
import { addHidden, BaseError } from '../core/errors/baseError.ts'
import {
  OrderUsedError,
  RedeemCancelledError,
  RedeemExpiredError,
  RedeemRevertedError,
  RedeemTimeoutError,
} from './errors.ts'
import type { SignedRedeem } from './preparedRedeem.ts'

/**
 * A redeem whose permit was submitted, or may have been. It can execute until the chain has passed `validBefore` (PROTOCOL.md 7.4). Pass
 * it to `waitForRedeem` or `findRedeem`.
 */
export type OpenRedeem = {
  readonly wallet: Address
  readonly chainId: number
  readonly creditsContract: Address
  readonly nonce: Hex
  /** Unix seconds at which the permit expires. Errors of `waitForRedeem` have this field and `chainId` only if the caller passed them. */
  readonly validBefore: string
  /** Set for services with random nonces, whose contract has no state per nonce. */
  readonly intentBound?: false | undefined
  /** Hash that the service reported, if any. */
  readonly hash?: Hex | undefined
  /** The signed redeem, to submit it again. Errors have it on their prototype, so that logs do not contain the signatures. */
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

export function carryOpenRedeem<error extends BaseError>(error: error, open: Partial<OpenRedeem>): error {
  const { signed, ...fields } = open
  Object.assign(error, fields)
  return signed === undefined ? error : addHidden(error, { signed })
}

/** Outcomes decided on chain stay unchanged; any other error becomes the error of an open redeem. */
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
  // The lines above assigned all fields.
  return carryOpenRedeem(toCarrier(error, open), open) as OpenRedeemError
}

function toCarrier(error: unknown, open: OpenRedeem): BaseError {
  if (
    error instanceof OutcomeUnknownError ||
    error instanceof RedeemRevertedError ||
    error instanceof RedeemTimeoutError
  )
    return error
  return afterSubmit(error instanceof BaseError ? withoutAdvice(error) : error, open)
}

/** Advice such as "nothing was sent" is wrong once a permit was submitted. */
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
