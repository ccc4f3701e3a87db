import type { Hex } from 'viem'
import type { InvalidRecordError } from '../../core/errors/inputErrors.ts'
import { checkRecord } from '../../evm/values/checkKeys.ts'
import { keccak256 } from '../../evm/viem.ts'
import { serializeTempoTransaction } from './serializeTempoTransaction.ts'
import type { TempoTransaction } from './tempoTransaction.ts'

/**
 * What the sender of a Tempo transaction signs. In a sponsored one the fee token is left out and a placeholder stands for
 * the sponsor: the sender commits to neither.
 *
 * An access key signs `keychainDigest` of it.
 *
 * @throws {@link InvalidTransactionError}, and what `serializeTempoTransaction` throws
 * @see Tempo Transactions, "Sender signature hash"
 * @example
 * ```ts
 * import { buildTempoTransaction, hashTempoTransaction } from 'redeemkit/tempo'
 *
 * hashTempoTransaction(
 *   buildTempoTransaction({
 *     chainId: 42431,
 *     calls: [{ to: '0x20C0000000000000000000000000000000000000', data: '0x18160ddd' }],
 *     gas: 1_000_000n,
 *     maxFeePerGas: 20_000_000_000n,
 *     nonce: 0n,
 *   }),
 * )
 * ```
 */
export function hashTempoTransaction(transaction: TempoTransaction): Hex {
  checkRecord(transaction, 'transaction')
  const { signature: _signature, feePayerSignature: _feePayer, ...unsigned } = transaction
  if (!unsigned.sponsored) return keccak256(serializeTempoTransaction(unsigned))
  return keccak256(serializeTempoTransaction({ ...unsigned, feeToken: undefined }))
}

export declare namespace hashTempoTransaction {
  type ErrorType = serializeTempoTransaction.ErrorType | InvalidRecordError
}
