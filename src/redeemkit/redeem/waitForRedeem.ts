import type { Hex } from 'viem'
import { checkCount } from '../api/clientOptions.ts'
import { RequestAbortedError } from '../api/errors.ts'
import type { OptionKinds } from '../core/checkOptions.ts'
import type { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { type Clock, type InvalidClockError, readClock } from '../core/time/clock.ts'
import type { EvmClient } from '../evm/client.ts'
import { askNode, ChainReadError } from '../evm/client.ts'
import { checkHex } from '../evm/values.ts'
import type { SearchState } from './chain/findTransaction.ts'
import { lookUpRedeem, type RedeemOutcome, type RedeemState } from './chain/lookUpRedeem.ts'
import type { lookUpUnbound, UnboundOutcome } from './chain/lookUpUnbound.ts'
import type { RedeemRevert } from './chain/readRevert.ts'
import { toRedeemKey, toUint } from './chain/toRedeemKey.ts'
import {
  RedeemCancelledError,
  RedeemExpiredError,
  RedeemRevertedError,
  RedeemTimeoutError,
} from './errors.ts'
import { checkKeyOptions, findOptionKinds, type findRedeem } from './findRedeem.ts'
import { loadOnDemand } from './loadOnDemand.ts'
import { carryOpenRedeem, type OpenRedeem } from './openRedeem.ts'
import { OtherAttemptError } from './otherAttemptError.ts'
import { type Sleep, sleepFor, within } from './within.ts'

/**
 * Waits until a redeem is on the chain, and reports what it charged and what moved.
 *
 * Follows the order, not the hash that the service named: a fee replacement changes the hash, and anyone may relay.
 * Only a `Redeemed` event of the given contract, wallet and order counts. A node that fails now and then is asked again.
 *
 * With `intentBound: false`, for a service whose contract tells nothing about a nonce, the `hash` is what is followed, and
 * transactions that carry the permit are looked for; the outcome is an `UnboundOutcome` then.
 *
 * @param publicClient a viem client, an EIP-1193 provider, or anything with their `request`; on the chain of the redeem
 * @returns the transaction that redeemed this nonce, with amounts in raw units (1 USDC is `1_000_000n`)
 * @throws {@link OtherAttemptError} with its `outcome` when another attempt of the order was redeemed: whether that pays for the order
 * is yours to compare; {@link RedeemCancelledError} when the order was cancelled; {@link RedeemExpiredError} when `validBefore` is
 * given and has passed on the chain with the order unused; ChainReadError when there is no credits contract at the address;
 * WrongNetworkError when `chainId` is given and the node is of another one; before any look, what `findRedeem` throws for a
 * malformed key, InvalidOptionError and InvalidClockError
 * @throws with the redeem still open, see `isOpenRedeemError`: {@link RedeemTimeoutError} after `timeoutMs`, RequestAbortedError
 * when `signal` aborts, {@link RedeemRevertedError} when `hash` was mined and reverted
 * @see PROTOCOL.md 7.4
 * @example
 * ```ts
 * import { type EvmClient, formatAmount, type SubmittedRedeem, waitForRedeem } from 'redeemkit'
 * const costOf = async (publicClient: EvmClient, submitted: SubmittedRedeem) => {
 *   const outcome = await waitForRedeem(publicClient, submitted)
 *   // With a service that knows no bound nonces, the chain does not tell what was charged.
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
  checkKeyOptions(options, optionKinds)
  const { confirmations = 1, timeoutMs = 120_000, pollingIntervalMs = 1_000 } = options
  const { signal, sleep = sleepFor, hash, transactionData } = options
  const now = () => readClock(options.now)
  const key = toRedeemKey(publicClient, options)
  const fromBlock = toUint(options.fromBlock, 'fromBlock')
  const validBefore = toUint(options.validBefore, 'validBefore')
  if (hash !== undefined) checkHex(hash, 'hash', { bytes: 32 })
  for (const key of ['confirmations', 'timeoutMs', 'pollingIntervalMs'] as const)
    checkCount(options[key], key)
  const end = now() + timeoutMs
  let slept = 0
  const open = { ...key, ...openFields(options, validBefore) }
  let reason = 'the chain was not read yet'
  let cause: unknown
  let { chainId } = options
  const timeout = () =>
    carryOpenRedeem(
      new RedeemTimeoutError(`No outcome of nonce ${key.nonce} after ${timeoutMs} ms: ${reason}.`, {
        cause,
        field: 'nonce',
        fix: 'It may still execute until its permit ends. Call waitForRedeem or findRedeem again with the same nonce.',
      }),
      open,
    )
  const onEnd = (why: 'aborted' | 'timeout') =>
    why === 'aborted' ? carryOpenRedeem(new RequestAbortedError({ sent: true }), open) : timeout()
  const search: SearchState = {}
  const look = async () => {
    const how = { fromBlock, chainId, confirmations, validBefore }
    const seen =
      options.intentBound === false
        ? // Loaded for services that know no bound nonces only.
          await (await loadOnDemand()).lookUpUnbound(publicClient, key, {
            ...how,
            hash,
            search,
          })
        : await lookUpRedeem(publicClient, key, how)
    const undecided = seen.state === 'unused' || seen.state === 'unknown'
    const revert =
      undecided && hash !== undefined && (await mayHaveReverted(publicClient, hash, options))
        ? // Rarely needed: the reader of reverts is loaded when there is one.
          await (await loadOnDemand()).readRevert(publicClient, key, hash, {
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
      reason = 'words' in seen && outcome === undefined ? seen.words : whyNot(state, outcome, confirmations)
      // Nothing more can come of it, and what came of it this contract does not tell. One node of a pool may lag by a look.
      if ('over' in seen && seen.over && outcome === undefined && slept > 0)
        throw carryOpenRedeem(new RedeemTimeoutError(seen.words, { field: 'nonce', fix: overFix }), open)
    } catch (error) {
      // "No contract there" stays so; a node that failed to answer may answer the next time.
      if (!(error instanceof ChainReadError) || error.field === 'creditsContract') throw error
      cause = error
      reason = 'the chain could not be read'
    }
    // What was slept counts too: a clock that stands still, or is put back, makes no wait longer.
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
    /** The permit's `validBefore`, unix seconds: makes a permit that ended unused an error instead of a long wait. */
    validBefore?: bigint | string | undefined
    /**
     * The hash that the service named: tells at once when that transaction was mined and reverted. The order is what is followed.
     */
    hash?: Hex | undefined
    /** The request's, as its builder made it: the errors of the ABI that the builder was given are told by name. */
    transactionData?: object | undefined
    /** Blocks that must hold the end, whichever it is, the first included. Default 1. */
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
  type ReturnType = RedeemOutcome | UnboundOutcome
  type ErrorType =
    | findRedeem.ErrorType
    | lookUpUnbound.ErrorType
    | OtherAttemptError
    | RedeemCancelledError
    | RedeemExpiredError
    | RedeemRevertedError
    | RedeemTimeoutError
    | RequestAbortedError
    | InvalidClockError
    | InvalidOptionError
}

/** What the caller knows of the redeem beyond its key, for the errors. */
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
  'Do not pay again before you know: compare the wallet’s credits with what they were, or ask the service. When nothing was charged, buy it under another purchaseId.'

function whyNot(state: RedeemState | 'unknown', outcome: object | undefined, confirmations: number): string {
  if (state === 'unused') return 'the order is unused'
  return outcome !== undefined || state === 'cancelled'
    ? `it has not ${confirmations} confirmations yet`
    : 'the order is used, but its event was not found: pass an earlier fromBlock, or ask another node'
}

function expired(validBefore: bigint | undefined): RedeemExpiredError {
  return new RedeemExpiredError(`The permit ended at ${validBefore} with its order unused.`, {
    field: 'validBefore',
    fix: 'Nothing was charged, and this permit can never execute. Prepare again, and sign again.',
  })
}

function reverted({ hash, reason, revertData }: RedeemRevert, validBefore: bigint | undefined) {
  return new RedeemRevertedError(`Transaction ${hash} was mined and reverted: ${reason}.`, {
    hash,
    reason,
    revertData,
    field: 'hash',
    fix: `Nothing was charged and the order is unused: the same permit may be sent again${validBefore === undefined ? '' : ` until ${validBefore}`}, and may execute until then. Put right what the reason says, then send the same again.`,
  })
}

/**
 * Whether the transaction that the service named was mined, and did not make the redeem: it failed, or it was a batch in which this one
 * failed. Whose it is, and why, `readRevert` tells.
 */
async function mayHaveReverted(
  client: EvmClient,
  hash: Hex,
  { intentBound }: waitForRedeem.Options,
): Promise<boolean> {
  const receipt = await askNode(client, 'eth_getTransactionReceipt', [hash], { field: 'publicClient' })
  if (typeof receipt !== 'object' || receipt === null || !('status' in receipt)) return false
  // Only contracts of bound nonces take batches.
  return receipt.status === '0x0' || (receipt.status === '0x1' && intentBound !== false)
}
