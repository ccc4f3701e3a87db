import { type Address, type Hex, numberToHex, slice, toRlp } from 'viem'
import type { RlpTree, TempoTransaction } from './tempoTransaction.ts'

type WritableTree = Hex | WritableTree[]

/**
 * Writes a Tempo transaction: the inverse of `parseTempoTransaction`.
 *
 * @param options.format `transaction` (default): type 0x76, as it is broadcast. `handoff`: 0x78 with the sender named in
 * the sponsor's place, as a sender hands it to a sponsor.
 * @see Tempo Transactions, "RLP encoding"
 * @example
 * ```ts
 * import { parseTempoTransaction, serializeTempoTransaction } from 'redeemkit/evm'
 * serializeTempoTransaction(
 *   parseTempoTransaction(
 *     '0x76e501808080d8d79470997970c51812dc3a010c7d01b50e0d17dc79c88080c0808080808080c0',
 *   ),
 * )
 * ```
 */
export function serializeTempoTransaction(
  transaction: TempoTransaction,
  options: serializeTempoTransaction.Options = {},
): Hex {
  const handoff = options.format === 'handoff'
  const { keyAuthorization, signature } = transaction
  const fields: WritableTree[] = [
    uint(transaction.chainId),
    uint(transaction.maxPriorityFeePerGas),
    uint(transaction.maxFeePerGas),
    uint(transaction.gas),
    transaction.calls.map((call) => [low(call.to), uint(call.value), low(call.data)]),
    copy(transaction.accessList ?? []),
    uint(transaction.nonceKey),
    uint(transaction.nonce),
    optional(transaction.validBefore),
    optional(transaction.validAfter),
    low(transaction.feeToken),
    handoff ? low(transaction.sender) : feePayer(transaction),
    copy(transaction.authorizationList ?? []),
    ...(keyAuthorization === undefined ? [] : [copy(keyAuthorization)]),
    ...(signature === undefined ? [] : [low(signature)]),
  ]
  return `${handoff ? '0x78' : '0x76'}${toRlp(fields).slice(2)}`
}

export declare namespace serializeTempoTransaction {
  type Options = { format?: 'transaction' | 'handoff' | undefined }
}

function feePayer({ sponsored, feePayerSignature }: TempoTransaction): WritableTree {
  if (!sponsored) return '0x'
  if (feePayerSignature === undefined) return '0x00'
  const parity = feePayerSignature.toLowerCase().endsWith('1c') ? 1 : 0
  return [
    uint(parity),
    uint(BigInt(slice(feePayerSignature, 0, 32))),
    uint(BigInt(slice(feePayerSignature, 32, 64))),
  ]
}

/** RLP's number: big endian without leading zeros, nothing for zero. */
function uint(value: bigint | number): Hex {
  if (BigInt(value) === 0n) return '0x'
  const hex = numberToHex(value)
  return hex.length % 2 === 0 ? hex : `0x0${hex.slice(2)}`
}

/** A number whose absence differs from zero: a zero byte then stands for zero. */
function optional(value: bigint | undefined): Hex {
  if (value === undefined) return '0x'
  return value === 0n ? '0x00' : uint(value)
}

function low(value: Hex | Address | undefined): Hex {
  return (value ?? '0x').toLowerCase() as Hex // lower-casing keeps the 0x prefix
}

function copy(tree: readonly RlpTree[]): WritableTree[] {
  return tree.map((item) => (typeof item === 'string' ? low(item) : copy(item)))
}
