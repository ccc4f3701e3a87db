import type { InvalidAmountError } from '../../core/amount.ts'
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
 * Describes a Tempo transaction call by call, and compares it with the expectation. The verdict is `refuse` for any unexpected part: chain,
 * calls, value, contract creation, account delegation, key authorization, access list, fee payer, fee token, nonce key, signer, or a
 * past expiry.
 *
 * @param transaction type 0x76, or the handoff form 0x78 for a sponsor: serialized, or as an object of redeemkit, ox, viem or a node
 * @param expected the expected values; an unknown field is an error
 * @returns an inspection with a finding for each unexpected part; a missing or late expiry alone gives `caution`
 * @throws {@link InvalidTransactionError} if the transaction cannot be read; InvalidOptionError for an unknown field of `expected`
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
  /** A serialized transaction, or an object. Other libraries have other types for it. */
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
