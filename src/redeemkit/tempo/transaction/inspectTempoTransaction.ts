import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import type { checkOptions } from '../../core/checkOptions.ts'
import type {
  InvalidAddressError,
  InvalidSignatureError,
  InvalidTransactionError,
} from '../../core/errors/inputErrors.ts'
import type { Inspection } from '../../core/inspection/inspection.ts'
import type { InvalidHexError } from '../../evm/values.ts'
import type { serializeTempoSignature } from '../signature/serializeTempoSignature.ts'
import type { checkTempoSignature } from '../verify/checkTempoSignature.ts'
import { judgeTempoTransaction, type TempoTransactionDetails } from './judgeTempoTransaction.ts'
import { readTempoTransaction } from './readTempoTransaction.ts'
import type { hashTempoFeePayer, serializeTempoTransaction } from './serializeTempoTransaction.ts'
import { checkTempoExpectation, type TempoTransactionExpectation } from './tempoTransactionExpectation.ts'

/**
 * Describes a Tempo transaction call by call, and refuses everything beyond the expectation: the wrong chain, a wrong or extra call,
 * value, a contract creation, an account delegation, a key authorization, an access list, the wrong fee payer, fee token or kind of
 * nonce, another account's signature, an expired transaction.
 *
 * @param transaction type 0x76, or 0x78 as sent to a sponsor: serialized, or an object of redeemkit, ox, viem or a node
 * @param expected every given field is compared; an unknown field is an error
 * @returns `refuse` with a finding for each unexpected part; `caution` for a missing or late expiry
 * @throws {@link InvalidTransactionError} when it cannot be read at all; InvalidOptionError for an unknown expectation
 * @see Tempo Transactions
 * @example
 * ```ts
 * import { inspectTempoTransaction } from 'redeemkit/tempo'
 *
 * const inspection = await inspectTempoTransaction(
 *   '0x76e501808080d8d79470997970c51812dc3a010c7d01b50e0d17dc79c88080c0808080808080c0',
 *   {
 *     chainId: 42431,
 *     account: '0x480F8659821A7a5f6209cDA338A53E9Dea09DB46',
 *     calls: [{ to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', data: '0x' }],
 *   },
 * )
 * inspection.verdict // 'refuse': another chain, and no sponsor
 * ```
 */
export async function inspectTempoTransaction(
  transaction: inspectTempoTransaction.Transaction,
  expected: TempoTransactionExpectation,
): Promise<Inspection<TempoTransactionDetails>> {
  const terms = checkTempoExpectation(expected)
  return judgeTempoTransaction(readTempoTransaction(transaction), terms)
}

export declare namespace inspectTempoTransaction {
  /** Serialized, or an object, also of other libraries, whose types differ. */
  type Transaction = string | object
  type ErrorType =
    | checkOptions.ErrorType
    | InvalidAddressError
    | InvalidAmountError
    | InvalidHexError
    | InvalidTransactionError
    | serializeTempoTransaction.ErrorType
    | InvalidSignatureError
    | serializeTempoSignature.ErrorType
    | checkTempoSignature.ErrorType
    | hashTempoFeePayer.ErrorType
}
