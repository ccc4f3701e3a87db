import { parseAddress } from '../../../../redeemkit/solana/address.ts'
import { parseBase58, parseBase64 } from '../../../../redeemkit/solana/encoding.ts'
import {
  maxTransactionLength,
  type ParsedTransaction,
  parseTransaction,
} from '../../../../redeemkit/solana/transaction/parseTransaction.ts'
import { RpcAnswerError } from './rpcAnswerError.ts'

/** The options of a method: any JSON object, each field of which is checked where it is used. */
export type Config = Record<string, unknown>

/** Takes a method's options. */
export function configOf(value: unknown): Config {
  // Checked: an object that is no list; every field is checked where it is used.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Config) : {}
}

/** Takes text. */
export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw badParams('text')
  return value
}

/** Takes an address. */
export function addressOf(key: unknown): string {
  try {
    return parseAddress(textOf(key), { field: 'pubkey' })
  } catch {
    throw new RpcAnswerError(-32602, 'Invalid param: Invalid')
  }
}

/** Bytes of the longest transaction, as text: four letters for three bytes, or the most that base58 needs. */
const maxTextLength = { base64: 1644, base58: 1683 }

/** Takes a transaction as text in one of the two encodings. */
export function transactionOf(
  value: unknown,
  encoding: unknown,
): { bytes: Uint8Array; parsed: ParsedTransaction } {
  const text = textOf(value)
  if (encoding !== 'base64' && encoding !== 'base58')
    throw new RpcAnswerError(-32602, `unsupported encoding: ${encoding}. Supported encodings: base58, base64`)
  const max = maxTextLength[encoding]
  if (text.length > max)
    throw new RpcAnswerError(
      -32602,
      `${encoding} encoded solana_transaction::versioned::VersionedTransaction too large: ${text.length} bytes (max: encoded/raw ${max}/${maxTransactionLength})`,
    )
  return readable(bytesOf(text, encoding))
}

function bytesOf(text: string, encoding: 'base64' | 'base58'): Uint8Array {
  try {
    return encoding === 'base64'
      ? parseBase64(text, { field: 'transaction' })
      : parseBase58(text, { field: 'transaction' })
  } catch {
    throw new RpcAnswerError(-32602, `invalid ${encoding} encoding`)
  }
}

/** Takes a transaction apart. */
export function readable(bytes: Uint8Array): { bytes: Uint8Array; parsed: ParsedTransaction } {
  if (bytes.length > maxTransactionLength)
    throw new RpcAnswerError(
      -32602,
      `decoded solana_transaction::versioned::VersionedTransaction too large: ${bytes.length} bytes (max: ${maxTransactionLength} bytes)`,
    )
  try {
    return { bytes, parsed: parseTransaction(bytes) }
  } catch (error) {
    throw new RpcAnswerError(
      -32602,
      `failed to deserialize transaction: ${error instanceof Error ? error.message : error}`,
    )
  }
}

/** The error for a parameter that cannot be taken. */
export function badParams(what: string): RpcAnswerError {
  return new RpcAnswerError(-32602, `Invalid params: ${what}`)
}
