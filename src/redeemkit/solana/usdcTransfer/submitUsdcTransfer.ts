import { BaseError } from '../../core/errors/baseError.ts'
import type { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { WrongSignatureError } from '../../core/errors/walletErrors.ts'
import { checkChoice, checkOptions } from '../checkOptions.ts'
import { formatBase58, type InvalidBase58Error, parseBase58 } from '../encoding.ts'
import { signatureStates } from '../transaction/isSignedBy.ts'
import { encodeTransaction, readTransaction, type TransactionLike } from '../transaction/parseTransaction.ts'
import { BlockhashExpiredError, TransactionFailedError } from './errors.ts'
import type { Connection } from './prepareUsdcTransfer.ts'
import { checkHeight } from './transferTerms.ts'

/**
 * Sends a fully signed transaction. Sending the same transaction again is safe: a chain includes it once.
 *
 * A node that no longer knows the blockhash cannot rule out that the transaction was already included, so the function
 * looks up its status. If the status is not found, confirm the transaction before you sign another one.
 *
 * @returns its signature (base58). Pass it to `confirmUsdcTransfer`, which waits for the outcome
 * @throws {@link WrongSignatureError} if a signature is missing or wrong; {@link TransactionFailedError} if the node's simulation fails:
 *   this call did not send it; {@link SubmitUnknownError} if the node gives no clear response, or the blockhash is too old: the transaction
 *   may be included already or later, so confirm it first
 */
export async function submitUsdcTransfer(
  connection: Pick<Connection, 'sendRawTransaction' | 'getSignatureStatuses'>,
  options: submitUsdcTransfer.Options,
): Promise<{ signature: string }> {
  const parsed = readTransaction(checkOptions(options).transaction)
  const states = signatureStates(parsed)
  const bad = states.findIndex((state) => state !== 'right')
  if (bad >= 0)
    throw new WrongSignatureError(`The signature of ${parsed.keys[bad]} is ${states[bad]}.`, {
      field: 'transaction',
      fix: 'Have every signer sign this exact transaction.',
    })
  const signature = formatBase58(parsed.signatures[0] ?? new Uint8Array())
  try {
    await connection.sendRawTransaction(encodeTransaction(parsed), { preflightCommitment: 'confirmed' })
  } catch (cause) {
    const reason = reasonOf(cause)
    if (/already ?(been ?)?processed/i.test(reason)) return { signature }
    if (/blockhash ?not ?found/i.test(reason)) {
      // If the lookup fails or finds nothing, the outcome is unknown, and the error below says so.
      const found = await connection
        .getSignatureStatuses([signature], { searchTransactionHistory: true })
        .catch(() => undefined)
      if (found?.value[0]) return { signature }
      throw new SubmitUnknownError(
        `The node does not know the blockhash ${parsed.blockhash}, nor whether transaction ${signature} was already included.`,
        {
          signature,
          field: 'blockhash',
          cause,
          fix: 'Confirm this signature first (confirmUsdcTransfer). Prepare and sign again only if it was never included.',
        },
      )
    }
    if (/simulation failed/i.test(reason))
      throw new TransactionFailedError(
        'The transaction failed in simulation, so this call did not send it.',
        {
          field: 'transaction',
          cause,
          fix: "If an earlier call may have sent this transaction, confirm it before you sign another one. Simulate it to read the program's logs: usual causes are the balance, the token account or the compute units.",
        },
      )
    throw new SubmitUnknownError(`It is unknown whether ${signature} was sent.`, {
      signature,
      cause,
      fix: 'Confirm this signature, or submit the same transaction again. Never sign a second one before that.',
    })
  }
  return { signature }
}

export declare namespace submitUsdcTransfer {
  type Options = { transaction: TransactionLike }
  type ErrorType =
    | WrongSignatureError
    | TransactionFailedError
    | SubmitUnknownError
    | InvalidOptionError
    | readTransaction.ErrorType
}

/** Returns the node's own reason without its logs: the logs quote the memo, which is untrusted text. */
function reasonOf(cause: unknown): string {
  // Any value can be thrown, so its fields are not trusted.
  const { message, transactionError, data, cause: inner } = Object(cause) as Record<string, unknown>
  const said =
    [Object(transactionError).message, message, cause].find((text) => typeof text === 'string') ?? ''
  const codes = [data, inner].map((rpc) => Object(rpc).err).filter((err) => typeof err === 'string')
  return [said.split('Logs:')[0], ...codes].join(' ')
}

/** The node gave no clear response to a submitted transaction. */
export class SubmitUnknownError extends BaseError {
  override readonly name = 'SubmitUnknownError'
  /** The transaction ID (base58). Confirm the transaction with it. */
  readonly signature: string
  constructor(shortMessage: string, options: BaseError.Options & { signature: string }) {
    super(shortMessage, options)
    this.signature = options.signature
  }
}

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
