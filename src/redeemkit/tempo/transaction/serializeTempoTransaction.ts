import type { Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { parseTempoTransaction } from './parseTempoTransaction.ts'
import type { TempoTransaction } from './tempoTransaction.ts'
import { writeTempoTransaction } from './writeTempoTransaction.ts'

/**
 * Writes a Tempo transaction: the inverse of `parseTempoTransaction`, which reads it back before it is given out, so that
 * nothing leaves here which would be refused there.
 *
 * @param options.format `transaction` (default): type 0x76, as it is broadcast. `handoff`: 0x78 with the sender named in
 * the sponsor's place, as a sender hands it to a sponsor.
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
    throw new InvalidOptionError(`There is no format ${showValue(options.format)}.`, {
      field: 'format',
      fix: 'Give "transaction" or "handoff".',
    })
  const serialized = writeTempoTransaction(transaction, options)
  parseTempoTransaction(serialized)
  return serialized
}

export declare namespace serializeTempoTransaction {
  type Options = { format?: 'transaction' | 'handoff' | undefined }
  type ErrorType = InvalidOptionError | writeTempoTransaction.ErrorType
}
