import { type InvalidBase64Error, InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { parseBase64 } from '../encoding/parseBase64.ts'
import { type ParsedTransaction, parseTransaction } from './parseTransaction.ts'

/**
 * A transaction in any of the forms in which it is passed around: wire bytes, their base64 text, or an object
 * of
 * `@solana/web3.js` 1.x (`Transaction`, `VersionedTransaction`).
 */
export type TransactionLike =
  | Uint8Array
  | string
  | { serialize(config?: { requireAllSignatures: boolean; verifySignatures: boolean }): Uint8Array }

/**
 * Reads a transaction, whatever form it comes in. Signatures may be missing.
 *
 * @throws {@link InvalidTransactionError} {@link InvalidBase64Error}
 */
export function readTransaction(transaction: TransactionLike): ParsedTransaction {
  if (typeof transaction === 'string')
    return parseTransaction(parseBase64(transaction, { field: 'transaction' }))
  // Also those of another window, which are no instance of this one's class.
  if (ArrayBuffer.isView(transaction)) return parseTransaction(Uint8Array.from(transaction))
  let bytes: Uint8Array
  try {
    bytes = Uint8Array.from(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }))
  } catch (cause) {
    throw new InvalidTransactionError('The transaction cannot be serialized.', {
      field: 'transaction',
      cause,
      fix: 'Give bytes, base64 text, or a web3.js transaction with fee payer and blockhash.',
    })
  }
  return parseTransaction(bytes)
}

export declare namespace readTransaction {
  type ErrorType = InvalidTransactionError | InvalidBase64Error
}
