import type { Address, Hex } from 'viem'
import type { InvalidAmountError } from '../../core/amount.ts'
import { checkOptions } from '../../core/checkOptions.ts'
import {
  type InvalidAddressError,
  InvalidOptionError,
  type InvalidRecordError,
  InvalidTransactionError,
} from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import { checkRecord, type InvalidChainIdError, type InvalidHexError } from '../../evm/values.ts'
import { keccak256 } from '../../evm/viem.ts'
import { parseTempoTransaction, writeTempoTransaction } from './parseTempoTransaction.ts'
import type { TempoTransaction } from './tempoTransaction.ts'

/**
 * Encodes a Tempo transaction. The inverse of `parseTempoTransaction`, with which it checks its result.
 *
 * @param options.format `transaction` (default): type 0x76, for broadcast. `handoff`: 0x78, with which a sender gives a signed transaction
 * to a sponsor; it has the sender's address in place of the sponsor's signature
 * @throws {@link InvalidTransactionError}, {@link InvalidAmountError}, {@link InvalidHexError}, {@link InvalidChainIdError}
 * @see Tempo Transactions, "RLP encoding"
 * @example
 * ```ts
 * import { parseTempoTransaction, serializeTempoTransaction } from 'redeemkit/tempo'
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
  checkOptions(options, { format: 'any' })
  if (!['transaction', 'handoff', undefined].includes(options.format))
    throw new InvalidOptionError(`${showValue(options.format)} is not a supported format.`, {
      field: 'format',
      fix: 'Pass "transaction" or "handoff".',
    })
  const serialized = writeTempoTransaction(transaction, options)
  parseTempoTransaction(serialized)
  return serialized
}

export declare namespace serializeTempoTransaction {
  type Options = { format?: 'transaction' | 'handoff' | undefined }
  type ErrorType = writeTempoTransaction.ErrorType
}

/**
 * Returns the digest that the sender of a Tempo transaction signs. In a sponsored transaction, the sender commits neither to the fee
 * token nor to the sponsor: the digest omits the token and has a placeholder for the sponsor.
 *
 * An access key signs the `keychainDigest` of this digest.
 *
 * @throws {@link InvalidTransactionError}, and the errors of `serializeTempoTransaction`
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

/**
 * Returns the digest that the sponsor signs. It covers the whole transaction with the fee token, and has the sender's address in place of
 * the sponsor's signature. The hashed bytes start with 0x78, so a sponsor's signature is never valid as a sender's.
 *
 * @param options.sender the customer, who sends the transaction
 * @throws {@link InvalidAddressError}, and the errors of `serializeTempoTransaction`
 * @see Tempo Transactions, "Fee payer signature hash"
 * @example
 * ```ts
 * import { buildTempoTransaction, hashTempoFeePayer } from 'redeemkit/tempo'
 *
 * const transaction = buildTempoTransaction({
 *   chainId: 42431,
 *   calls: [{ to: '0x20C0000000000000000000000000000000000000', data: '0x18160ddd' }],
 *   gas: 1_000_000n,
 *   maxFeePerGas: 20_000_000_000n,
 *   nonce: 0n,
 *   feeToken: '0x20C0000000000000000000000000000000000000',
 * })
 * hashTempoFeePayer(transaction, { sender: '0x480F8659821A7a5f6209cDA338A53E9Dea09DB46' })
 * ```
 */
export function hashTempoFeePayer(transaction: TempoTransaction, options: { sender: Address }): Hex {
  checkRecord(transaction, 'transaction')
  checkOptions(options, { sender: 'any' })
  const { signature: _signature, ...unsigned } = transaction
  const sender = checkAddress(options.sender, 'sender')
  return keccak256(serializeTempoTransaction({ ...unsigned, sender }, { format: 'handoff' }))
}

export declare namespace hashTempoFeePayer {
  type ErrorType = serializeTempoTransaction.ErrorType | InvalidAddressError | InvalidRecordError
}
