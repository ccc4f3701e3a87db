import type { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { checkOptions, invalidOption } from '../checkOptions.ts'
import { type InvalidBase58Error, parseBase58 } from '../encoding.ts'
import { BlockhashExpiredError, TransactionFailedError } from './errors.ts'
import { checkHeight } from './expectedTransfer.ts'
import type { Connection } from './readAccounts.ts'

/**
 * Follows a transaction until it is confirmed, has failed, or can no longer land.
 *
 * It can no longer land when a final block is past the last valid one, and a node that has seen that block knows
 * nothing of the transaction. Nodes of a pool differ: an answer from before that block counts for nothing. A node that
 * has dropped the history of those blocks (most keep it for days) knows nothing of it either: follow a transaction soon.
 *
 * @param options.lastValidBlockHeight from the transfer: the last block that may take it
 * @returns the slot in which it landed
 * @throws {@link TransactionFailedError} when it landed and failed; {@link BlockhashExpiredError} when it
 *   never landed and never will: the only error after which it is safe to prepare and sign a new one;
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
  // What is processed only may be undone.
  if (commitment !== 'confirmed' && commitment !== 'finalized')
    throw invalidOption('commitment', commitment, 'Say "confirmed" or "finalized", or leave it out.')
  for (;;) {
    signal?.throwIfAborted()
    // The final block first: what landed up to it is there for whoever has seen it.
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
        fix: 'Nothing moved but the fee. Look at its logs before you prepare another one.',
      })
    }
    if (!status && blockHeight > lastValidBlockHeight && context.slot >= absoluteSlot)
      throw new BlockhashExpiredError(
        `Transaction ${signature} did not land up to block ${lastValidBlockHeight}.`,
        {
          field: 'blockhash',
          fix: 'Prepare the transfer again and let the customer sign again: this one can never land.',
        },
      )
    await wait()
  }
}

export declare namespace confirmUsdcTransfer {
  type Options = {
    signature: string
    lastValidBlockHeight: number
    /** How sure it must be. Default `confirmed`. */
    commitment?: 'confirmed' | 'finalized' | undefined
    /** Pause between two looks. Default 500. */
    pollMs?: number | undefined
    /** Replaces the pause, e.g. in tests. */
    wait?: (() => Promise<unknown>) | undefined
    signal?: AbortSignal | undefined
  }
  type ErrorType = TransactionFailedError | BlockhashExpiredError | InvalidOptionError | InvalidBase58Error
}
