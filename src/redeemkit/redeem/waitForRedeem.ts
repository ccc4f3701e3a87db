import type { Hex } from 'viem'
import { checkCount } from '../api/clientOptions.ts'
import { RequestAbortedError } from '../api/errors.ts'
import type { OptionKinds } from '../core/checkOptions.ts'
import { type Clock, type InvalidClockError, readClock } from '../core/clock.ts'
import { ChainReadError, type EvmClient } from '../evm/client.ts'
import type { decodeRevert } from '../evm/revert/decodeRevert.ts'
import type { RandomNonceOutcome, SearchState } from './chain/lookUpRandomNonce.ts'
import type { RedeemState } from './chain/lookUpRedeem.ts'
import type { RedeemOutcome } from './chain/readLogs.ts'
import { type RedeemRevert, readRevert } from './chain/readRevert.ts'
import {
  OtherAttemptError,
  RedeemCancelledError,
  RedeemExpiredError,
  RedeemRevertedError,
  RedeemTimeoutError,
} from './errors.ts'
import { findOptionKinds, type findRedeem, readLookUp } from './findRedeem.ts'
import { carryOpenRedeem, type OpenRedeem } from './openRedeem.ts'
import { type Sleep, sleepFor, within } from './within.ts'

/**
 * Waits until a redeem is on chain, and returns its charge and its token movements.
 *
 * Follows the order, not the hash that the service reported, because a fee replacement changes the hash and anyone may relay the redeem.
 * Only a `Redeemed` event of the given contract, wallet and order counts. With `intentBound: false`, it follows `hash` and searches for
 * transactions that carry the permit.
 *
 * @param publicClient a viem client, an EIP-1193 provider, or anything with their `request`, on the chain of the redeem
 * @returns the outcome in raw units (1 USDC is `1_000_000n`)
 * @throws {@link OtherAttemptError} if another attempt of the order was redeemed: compare its `outcome` with the order; {@link
 * RedeemCancelledError}; {@link RedeemExpiredError} once `validBefore` has passed; ChainReadError without a credits contract;
 * WrongNetworkError; the errors of `findRedeem` for invalid options
 * @throws while the redeem may still execute, see `isOpenRedeemError`: {@link RedeemTimeoutError}, RequestAbortedError, and
 * {@link RedeemRevertedError} if `hash` was mined and reverted
 * @see PROTOCOL.md 7.4
 * @example
 * ```ts
 * import { type EvmClient, formatAmount, type SubmittedRedeem, waitForRedeem } from 'redeemkit'
 * const costOf = async (publicClient: EvmClient, submitted: SubmittedRedeem) => {
 *   const outcome = await waitForRedeem(publicClient, submitted)
 *   // With a random-nonce service, the chain does not show what was charged.
 *   if (!('charged' in outcome)) return undefined
 *   return formatAmount(outcome.charged - outcome.refunded, { decimals: 6 })
 * }
 * ```
 */
export async function waitForRedeem(
  publicClient: EvmClient,
  options: waitForRedeem.Options & { intentBound?: true | undefined },
): Promise<RedeemOutcome>
export async function waitForRedeem(
  publicClient: EvmClient,
  options: waitForRedeem.Options,
): Promise<waitForRedeem.ReturnType>
export async function waitForRedeem(
  publicClient: EvmClient,
  options: waitForRedeem.Options,
): Promise<waitForRedeem.ReturnType> {
  const { key, validBefore, look: lookUp } = readLookUp(publicClient, options, optionKinds)
  const { confirmations = 1, timeoutMs = 120_000, pollingIntervalMs = 1_000 } = options
  const { signal, sleep = sleepFor, hash, transactionData } = options
  const now = () => readClock(options.now)
  for (const key of ['confirmations', 'timeoutMs', 'pollingIntervalMs'] as const)
    checkCount(options[key], key)
  const end = now() + timeoutMs
  let slept = 0
  const open = { ...key, ...openFields(options, validBefore) }
  let reason = 'the chain has not been read'
  let cause: unknown
  let { chainId } = options
  const timeout = () =>
    carryOpenRedeem(
      new RedeemTimeoutError(`Nonce ${key.nonce} has no outcome after ${timeoutMs} ms: ${reason}.`, {
        cause,
        field: 'nonce',
        fix: 'Call waitForRedeem or findRedeem again with the same nonce. The redeem may still execute until its permit expires.',
      }),
      open,
    )
  const onEnd = (why: 'aborted' | 'timeout') =>
    why === 'aborted' ? carryOpenRedeem(new RequestAbortedError({ sent: true }), open) : timeout()
  const search: SearchState = {}
  const look = async () => {
    const seen = await lookUp({ chainId, confirmations, search })
    const undecided = seen.state === 'unused' || seen.state === 'unknown'
    const revert =
      undecided && hash !== undefined
        ? await readRevert(publicClient, key, hash, {
            transactionData,
            anyTarget: options.intentBound === false,
          })
        : undefined
    return { ...seen, revert }
  }
  for (;;) {
    try {
      const seen = await within(look(), { ms: Math.min(end - now(), timeoutMs), signal, onEnd })
      chainId = undefined
      const { state, outcome, revert, block } = seen
      if (seen.settled && outcome !== undefined) {
        if (state === 'otherAttempt' && outcome.intentBound !== false) throw new OtherAttemptError(outcome)
        return outcome
      }
      if (seen.settled) throw state === 'cancelled' ? new RedeemCancelledError(key) : expired(validBefore)
      if (revert !== undefined && block.number - revert.blockNumber + 1n >= BigInt(confirmations))
        throw carryOpenRedeem(reverted(revert, validBefore), open)
      reason = 'text' in seen && outcome === undefined ? seen.text : whyNot(state, outcome, confirmations)
      // The permit has expired, and this contract does not report the outcome; checked twice, because nodes in a pool may lag.
      if ('over' in seen && seen.over && outcome === undefined && slept > 0)
        throw carryOpenRedeem(new RedeemTimeoutError(seen.text, { field: 'nonce', fix: overFix }), open)
    } catch (error) {
      // A missing contract is final; a node that failed may respond next time.
      if (!(error instanceof ChainReadError) || error.field === 'creditsContract') throw error
      cause = error
      reason = 'the chain could not be read'
    }
    // The pauses count too, so that a stopped or changed clock does not extend the wait.
    if (now() >= end || slept >= timeoutMs) throw timeout()
    const pause = Math.max(1, Math.min(pollingIntervalMs, end - now()))
    slept += pause
    await within(sleep(pause), { signal, onEnd })
  }
}

const optionKinds: OptionKinds<waitForRedeem.Options> = {
  ...findOptionKinds,
  validBefore: 'any',
  hash: 'any',
  transactionData: 'object?',
  confirmations: 'any',
  timeoutMs: 'any',
  pollingIntervalMs: 'any',
  signal: 'object?',
  now: 'any',
  sleep: 'function?',
}

export declare namespace waitForRedeem {
  type Options = findRedeem.Options & {
    /** `validBefore` of the permit, unix seconds. Turns an expired permit into an error instead of a timeout. */
    validBefore?: bigint | string | undefined
    /** Hash that the service reported. With it, a revert is reported early. The wait still follows the order. */
    hash?: Hex | undefined
    /** The request's `transactionData`, as its builder returned it. Its ABI decodes custom errors. */
    transactionData?: object | undefined
    /** Blocks that must confirm the outcome, including its own. Default 1. */
    confirmations?: number | undefined
    /** Default 120_000. */
    timeoutMs?: number | undefined
    /** Default 1_000. */
    pollingIntervalMs?: number | undefined
    signal?: AbortSignal | undefined
    now?: Clock | undefined
    /** Waits between two look-ups. For tests. */
    sleep?: Sleep | undefined
  }
  type ReturnType = RedeemOutcome | RandomNonceOutcome
  type ErrorType =
    | findRedeem.ErrorType
    | decodeRevert.ErrorType
    | OtherAttemptError
    | RedeemCancelledError
    | RedeemExpiredError
    | RedeemRevertedError
    | RedeemTimeoutError
    | RequestAbortedError
    | InvalidClockError
}

function openFields(
  { chainId, hash, intentBound }: waitForRedeem.Options,
  validBefore: bigint | undefined,
): Partial<OpenRedeem> {
  return {
    ...(chainId !== undefined && { chainId }),
    ...(hash !== undefined && { hash }),
    ...(intentBound === false && { intentBound }),
    ...(validBefore !== undefined && { validBefore: `${validBefore}` }),
  }
}

const overFix =
  'Do not pay again yet. Compare the wallet’s credits with their earlier balance, or ask the service. If nothing was charged, use another purchaseId.'

function whyNot(state: RedeemState | 'unknown', outcome: object | undefined, confirmations: number): string {
  if (state === 'unused') return 'the order is unused'
  return outcome !== undefined || state === 'cancelled'
    ? `it does not have ${confirmations} confirmations yet`
    : 'the order is used, but its event was not found: pass an earlier fromBlock, or use another node'
}

function expired(validBefore: bigint | undefined): RedeemExpiredError {
  return new RedeemExpiredError(`The permit expired at unix time ${validBefore}, and its order is unused.`, {
    field: 'validBefore',
    fix: 'Prepare and sign again. Nothing was charged, and this permit can never execute.',
  })
}

function reverted({ hash, reason, revertData }: RedeemRevert, validBefore: bigint | undefined) {
  return new RedeemRevertedError(`Transaction ${hash} was mined and reverted: ${reason}.`, {
    hash,
    reason,
    revertData,
    field: 'hash',
    fix: `Nothing was charged and the order is unused: the same permit can be submitted again${validBefore === undefined ? '' : ` until ${validBefore}`}, and may execute until then. Fix the cause, then submit the signed redeem again.`,
  })
}
