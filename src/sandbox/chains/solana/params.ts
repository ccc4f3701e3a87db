import { parseBase64 } from '../../../redeemkit/core/base64.ts'
import { parseAddress } from '../../../redeemkit/solana/address.ts'
import { parseBase58 } from '../../../redeemkit/solana/encoding.ts'
import {
  maxTransactionLength,
  type ParsedTransaction,
  parseTransaction,
} from '../../../redeemkit/solana/transaction/parseTransaction.ts'
import type { Commitment, Node } from './openNode.ts'

export class RpcAnswerError extends Error {
  override readonly name = 'RpcAnswerError'
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Each field is checked where it is used. */
export type Config = Record<string, unknown>

export function configOf(value: unknown): Config {
  // The value is an object and not an array; each field is checked where it is used.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Config) : {}
}

export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw badParams('text')
  return value
}

export function addressOf(key: unknown): string {
  try {
    return parseAddress(textOf(key), { field: 'pubkey' })
  } catch {
    throw new RpcAnswerError(-32602, 'Invalid param: Invalid')
  }
}

const maxTextLength = { base64: 1644, base58: 1683 }

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
      ? parseBase64(text, 'transaction')
      : parseBase58(text, { field: 'transaction' })
  } catch {
    throw new RpcAnswerError(-32602, `invalid ${encoding} encoding`)
  }
}

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

export function badParams(what: string): RpcAnswerError {
  return new RpcAnswerError(-32602, `Invalid params: ${what}`)
}

export type Methods = Record<string, (params: readonly unknown[]) => unknown>

export function inContext<value>(node: Node, config: Config, value: value) {
  return { context: { slot: viewOf(node, config).slot, apiVersion: '3.0.0' }, value }
}

/** Throws if the chain at the requested commitment is behind `minContextSlot`. */
export function viewOf(node: Node, config: Config, field = 'commitment') {
  const view = node.at(commitmentOf(config[field]))
  const { minContextSlot } = config
  if (minContextSlot === undefined || minContextSlot === null) return view
  if (typeof minContextSlot !== 'number' || !Number.isSafeInteger(minContextSlot) || minContextSlot < 0)
    throw badParams('minContextSlot')
  if (minContextSlot > view.slot)
    throw new RpcAnswerError(-32016, 'Minimum context slot has not been reached', { contextSlot: view.slot })
  return view
}

/** A node's default is `finalized`. */
export function commitmentOf(value: unknown): Commitment {
  if (value === undefined || value === null) return 'finalized'
  if (value === 'processed' || value === 'confirmed' || value === 'finalized') return value
  throw badParams(`unknown variant \`${value}\`, expected one of \`processed\`, \`confirmed\`, \`finalized\``)
}
