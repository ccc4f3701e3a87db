import { type InvalidBase64Error, InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { parseBase64 } from '../encoding.ts'
import { encodeTransaction } from './encodeTransaction.ts'
import { type ParsedTransaction, parseTransaction } from './parseTransaction.ts'

/** A compiled transaction of `@solana/kit`, whose bytes are read-only. */
export type KitTransaction = {
  messageBytes: ArrayLike<number>
  signatures: Readonly<Record<string, ArrayLike<number> | null>>
}

/**
 * A transaction in any of the forms in which it is passed around: wire bytes, their base64 text, or an object of
 * `@solana/web3.js` 1.x (`Transaction`, `VersionedTransaction`) or of `@solana/kit` (a compiled `Transaction`).
 */
export type TransactionLike =
  | Uint8Array
  | string
  | KitTransaction
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
    if ('messageBytes' in transaction) return readKitTransaction(transaction)
    bytes = Uint8Array.from(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }))
  } catch (cause) {
    if (cause instanceof InvalidTransactionError) throw cause
    throw new InvalidTransactionError('The transaction cannot be serialized.', {
      field: 'transaction',
      cause,
      fix: 'Give bytes, base64 text, a compiled transaction of kit, or a web3.js transaction with fee payer and blockhash.',
    })
  }
  return parseTransaction(bytes)
}

/** Puts each signature where the message has its signer. */
function readKitTransaction({ messageBytes, signatures }: KitTransaction): ParsedTransaction {
  const message = Uint8Array.from(messageBytes)
  const given = Object.entries(signatures)
  const missing = new Uint8Array(64)
  const unsigned = given.map(() => missing)
  const { keys, signers } = parseTransaction(encodeTransaction({ signatures: unsigned, message }))
  const names = keys.slice(0, signers)
  return parseTransaction(
    encodeTransaction({
      signatures: names.map((key) => Uint8Array.from(signatures[key] ?? missing)),
      message,
    }),
  )
}

export declare namespace readTransaction {
  type ErrorType = InvalidTransactionError | InvalidBase64Error
}
