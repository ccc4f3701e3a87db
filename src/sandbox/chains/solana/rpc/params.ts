import { parseAddress } from '../../../../solana/address/parseAddress.ts'
import { InvalidBase58Error, parseBase58 } from '../../../../solana/encoding/parseBase58.ts'
import { parseBase64 } from '../../../../solana/encoding/parseBase64.ts'
import { type ParsedTransaction, parseTransaction } from '../../../../solana/transaction/parseTransaction.ts'
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

/** Takes bytes in one of the two encodings. */
export function bytesOf(text: unknown, encoding: unknown): Uint8Array {
  try {
    return encoding === 'base64'
      ? parseBase64(textOf(text), { field: 'transaction' })
      : parseBase58(textOf(text), { field: 'transaction' })
  } catch (error) {
    if (error instanceof RpcAnswerError) throw error
    throw new RpcAnswerError(
      -32602,
      `invalid ${error instanceof InvalidBase58Error ? 'base58' : 'base64'} encoding`,
    )
  }
}

/** Takes a transaction apart. */
export function readable(bytes: Uint8Array): { bytes: Uint8Array; parsed: ParsedTransaction } {
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
