import { BaseError } from '../../core/errors/baseError.ts'
import { encodeBase58 } from '../encoding/encodeBase58.ts'
import { WrongSignatureError } from '../signer/toSigner.ts'
import { encodeTransaction } from '../transaction/encodeTransaction.ts'
import { readTransaction, type TransactionLike } from '../transaction/readTransaction.ts'
import { signatureStates } from '../transaction/signatureStates.ts'
import { BlockhashExpiredError, type Connection, TransactionFailedError } from './connection.ts'

/**
 * Sends a transaction that everybody has signed. Sending the same one again is safe: a chain takes it once.
 *
 * @returns its signature (base58): the id under which `confirmUsdcTransfer` follows it
 * @throws {@link WrongSignatureError} when a signature is missing or wrong; {@link BlockhashExpiredError};
 *   {@link TransactionFailedError} when the node's trial run fails; {@link SubmitUnknownError} when the node gave no clear
 *   answer: it may land all the same, so confirm it before anything else
 */
export async function submitUsdcTransfer(
  connection: Pick<Connection, 'sendRawTransaction'>,
  options: { transaction: TransactionLike },
): Promise<{ signature: string }> {
  const parsed = readTransaction(options.transaction)
  const states = signatureStates(parsed)
  const bad = states.findIndex((state) => state !== 'right')
  if (bad >= 0)
    throw new WrongSignatureError(`The signature of ${parsed.keys[bad]} is ${states[bad]}.`, {
      field: 'transaction',
      fix: 'Let every signer sign this very transaction.',
    })
  const signature = encodeBase58(parsed.signatures[0] ?? new Uint8Array())
  try {
    await connection.sendRawTransaction(encodeTransaction(parsed), { preflightCommitment: 'confirmed' })
  } catch (cause) {
    const text = String(cause)
    if (/already been processed/i.test(text)) return { signature }
    if (/blockhash ?not ?found/i.test(text))
      throw new BlockhashExpiredError(`The blockhash ${parsed.blockhash} is not valid any more.`, {
        field: 'blockhash',
        cause,
        fix: 'Prepare the transfer again and let the customer sign again.',
      })
    if (/simulation failed/i.test(text))
      throw new TransactionFailedError('The transaction fails in a trial run; nothing was sent.', {
        field: 'transaction',
        cause,
        fix: "Look at the cause's logs: balance, token account, or compute units.",
      })
    throw new SubmitUnknownError(`Nobody knows whether ${signature} was sent.`, {
      cause,
      fix: 'Confirm this signature, or submit the same transaction again. Never sign a second one before.',
    })
  }
  return { signature }
}

/** A node that did not clearly answer to a submission. */
export class SubmitUnknownError extends BaseError {
  override readonly name = 'SubmitUnknownError'
}
