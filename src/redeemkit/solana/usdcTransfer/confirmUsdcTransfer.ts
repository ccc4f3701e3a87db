import type { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { checkChoice, checkOptions } from '../checkOptions.ts'
import { type InvalidBase58Error, parseBase58 } from '../encoding.ts'
import { BlockhashExpiredError, TransactionFailedError } from './errors.ts'
import { checkHeight } from './expectedTransfer.ts'
import type { Connection } from './readAccounts.ts'

/**
 * Follows a transaction until it is confirmed, has failed, or can no longer be included.
 *
 * The transaction can no longer be included if a finalized block is past the last valid block, and a node that has seen
 * that block does not know the transaction. Nodes in a pool differ, so a response from before that block is ignored.
 * Confirm soon: after some days, most nodes drop old blocks, and then no longer know a transaction that was included.
 *
 * @param options.lastValidBlockHeight from the transfer: the height of the last block that can include it
 * @returns the slot of the block that includes the transaction
 * @throws {@link TransactionFailedError} if it was included and failed; {@link BlockhashExpiredError} if it
 *   can never be included: the only error after which it is safe to prepare and sign a new one;
 *   {@link InvalidOptionError} {@link InvalidBase58Error}
 */
export async function confirmUsdcTransfer(
  connection: Pick<Connection, 'getSignatureStatuses' | 'getEpochInfo'>,
  options: confirmUsdcTransfer.Options,
): Promise<{ signature: string; slot: number }> {
  const { signature, lastValidBlockHeight, signal, commitment = 'confirmed' } = checkOptions(options)
  const { wait = () => new Promise((resolve) => setTimeout(resolve, options.pollMs ?? 500)) } = options
  parseBase58(signature, { field: 'signature', length: 64 })
  checkHeight(lastValidBlockHeight)
  // A processed transaction can still be rolled back.
  checkChoice('commitment', commitment, ['confirmed', 'finalized'])
  for (;;) {
    // Browsers older than 2022 have neither `throwIfAborted` nor `reason`.
    if (signal?.aborted) throw signal.reason ?? new DOMException('Aborted.', 'AbortError')
    // Ask for the finalized block first: every transaction included before it is visible afterwards.
    const { absoluteSlot, blockHeight = 0 } = await connection.getEpochInfo('finalized')
    const { value, context } = await connection.getSignatureStatuses([signature], {
      searchTransactionHistory: true,
    })
    const status = value[0]
    const state = status?.confirmationStatus
    if (status && (state === 'finalized' || state === commitment)) {
      const { slot, err } = status
      if (err === null) return { signature, slot }
      throw new TransactionFailedError(`Transaction ${signature} failed: ${JSON.stringify(err)}.`, {
        field: 'transaction',
        fix: 'Only the fee was charged. Check the logs of this transaction before you prepare another one.',
      })
    }
    if (!status && blockHeight > lastValidBlockHeight && context.slot >= absoluteSlot)
      throw new BlockhashExpiredError(
        `Transaction ${signature} was not included by block ${lastValidBlockHeight}, its last valid one.`,
        {
          field: 'blockhash',
          fix: 'Prepare the transfer again and have the customer sign again: this one can no longer be included.',
        },
      )
    await wait()
  }
}

export declare namespace confirmUsdcTransfer {
  type Options = {
    signature: string
    lastValidBlockHeight: number
    /** The commitment to wait for. Default `confirmed`. */
    commitment?: 'confirmed' | 'finalized' | undefined
    /** Milliseconds between two lookups. Default 500. */
    pollMs?: number | undefined
    /** Replaces the pause between lookups, for example in tests. */
    wait?: (() => Promise<unknown>) | undefined
    signal?: AbortSignal | undefined
  }
  type ErrorType = TransactionFailedError | BlockhashExpiredError | InvalidOptionError | InvalidBase58Error
}
