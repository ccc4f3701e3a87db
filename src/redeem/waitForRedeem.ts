import { checkCount } from '../api/clientOptions.ts'
import { RequestAbortedError } from '../api/errors.ts'
import type { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { type Clock, type InvalidClockError, readClock } from '../core/time/clock.ts'
import { ChainReadError } from '../evm/client/chainReadError.ts'
import type { EvmClient } from '../evm/client/evmClient.ts'
import { lookUpRedeem, type RedeemOutcome } from './chain/lookUpRedeem.ts'
import { toRedeemKey, toUint } from './chain/toRedeemKey.ts'
import { RedeemCancelledError, RedeemExpiredError, RedeemTimeoutError } from './errors.ts'
import type { findRedeem } from './findRedeem.ts'
import { type Sleep, sleepFor, within } from './within.ts'

/**
 * Waits until a redeem is on the chain, and reports what it charged and what moved.
 *
 * Follows the nonce, not the hash that the service named: a fee replacement changes the hash, and anybody may relay.
 * Only a `Redeemed` event of the given contract, wallet and nonce counts. A node that fails now and then is asked again.
 *
 * @param publicClient a viem client, an EIP-1193 provider, or anything with their `request`; on the chain of the redeem
 * @returns the transaction that used the nonce, with amounts in raw units (1 USDC is `1_000_000n`)
 * @throws {@link RedeemCancelledError} when the nonce was cancelled; {@link RedeemExpiredError} when `validBefore` is
 * given and has passed on the chain with the nonce unused; {@link RedeemTimeoutError} after `timeoutMs` and
 * RequestAbortedError when `signal` aborts: the redeem may still execute; ChainReadError when there is no credits
 * contract at the address; WrongNetworkError when `chainId` is given and the node is of another one; before any look, what
 * `findRedeem` throws for a malformed key, InvalidOptionError and InvalidClockError
 * @see PROTOCOL.md 7.4
 * @example
 * ```ts
 * import { type EvmClient, formatAmount, type SubmittedRedeem, waitForRedeem } from 'redeemkit'
 * const costOf = async (publicClient: EvmClient, submitted: SubmittedRedeem) => {
 *   const { charged, refunded } = await waitForRedeem(publicClient, submitted)
 *   return formatAmount(charged - refunded, { decimals: 6 })
 * }
 * ```
 */
export async function waitForRedeem(
  publicClient: EvmClient,
  options: waitForRedeem.Options,
): Promise<RedeemOutcome> {
  const { confirmations = 1, timeoutMs = 120_000, pollingIntervalMs = 1_000 } = options
  const { signal, sleep = sleepFor } = options
  const now = () => readClock(options.now)
  const key = toRedeemKey(publicClient, options)
  const fromBlock = toUint(options.fromBlock, 'fromBlock')
  const validBefore = toUint(options.validBefore, 'validBefore')
  for (const key of ['confirmations', 'timeoutMs', 'pollingIntervalMs'] as const)
    checkCount(options[key], key)
  const end = now() + timeoutMs
  let reason = 'the chain was not read yet'
  let cause: unknown
  let { chainId } = options
  const timeout = () =>
    new RedeemTimeoutError(`No outcome of nonce ${key.nonce} after ${timeoutMs} ms: ${reason}.`, {
      cause,
      field: 'nonce',
      fix: 'It may still execute until its permit ends. Call waitForRedeem or findRedeem again with the same nonce.',
    })
  const onEnd = (why: 'aborted' | 'timeout') =>
    why === 'aborted' ? new RequestAbortedError({ sent: true }) : timeout()
  for (;;) {
    try {
      const { state, block, outcome } = await within(
        lookUpRedeem(publicClient, key, { fromBlock, chainId }),
        { ms: end - now(), signal, onEnd },
      )
      chainId = undefined
      if (state === 'cancelled')
        throw new RedeemCancelledError(`Nonce ${key.nonce} was cancelled by ${key.wallet}.`, {
          field: 'nonce',
          fix: 'Nothing was charged. To redeem after all, prepare again with a new salt.',
        })
      if (state === 'unused' && validBefore !== undefined && block.timestamp >= validBefore)
        throw new RedeemExpiredError(`The permit ended at ${validBefore} with its nonce unused.`, {
          field: 'validBefore',
          fix: 'Nothing was charged, and this permit can never execute. Prepare again with the same salt.',
        })
      if (outcome !== undefined && block.number - outcome.blockNumber + 1n >= BigInt(confirmations))
        return outcome
      if (state === 'unused') reason = 'the nonce is unused'
      else if (outcome !== undefined) reason = `it has not ${confirmations} confirmations yet`
      else
        reason =
          'the nonce is used, but its event was not found: pass an earlier fromBlock, or ask another node'
    } catch (error) {
      // "No contract there" stays so; a node that failed to answer may answer the next time.
      if (!(error instanceof ChainReadError) || error.field === 'creditsContract') throw error
      cause = error
      reason = 'the chain could not be read'
    }
    if (now() >= end) throw timeout()
    await within(sleep(Math.max(1, Math.min(pollingIntervalMs, end - now()))), { signal, onEnd })
  }
}

export declare namespace waitForRedeem {
  type Options = findRedeem.Options & {
    /** The permit's `validBefore`, unix seconds: makes a permit that ended unused an error instead of a long wait. */
    validBefore?: bigint | string | undefined
    /** Blocks that must hold it, its own included. Default 1. */
    confirmations?: number | undefined
    /** Default 120_000. */
    timeoutMs?: number | undefined
    /** Default 1_000. */
    pollingIntervalMs?: number | undefined
    signal?: AbortSignal | undefined
    now?: Clock | undefined
    /** Waits between two looks. For tests. */
    sleep?: Sleep | undefined
  }
  type ReturnType = RedeemOutcome
  type ErrorType =
    | findRedeem.ErrorType
    | RedeemCancelledError
    | RedeemExpiredError
    | RedeemTimeoutError
    | RequestAbortedError
    | InvalidClockError
    | InvalidOptionError
}
