import type { Address, Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import type { InvalidAddressError, InvalidRecordError } from '../../core/errors/inputErrors.ts'
import { checkAddress } from '../../evm/values/checkAddress.ts'
import { checkRecord } from '../../evm/values/checkKeys.ts'
import { keccak256 } from '../../evm/viem.ts'
import { serializeTempoTransaction } from './serializeTempoTransaction.ts'
import type { TempoTransaction } from './tempoTransaction.ts'

/**
 * What the sponsor signs: the whole transaction with its fee token, and the sender's address in the sponsor's place. The
 * first byte is 0x78, so that the two signatures can never be taken for each other.
 *
 * @param options.sender the customer
 * @throws {@link InvalidAddressError}, and what `serializeTempoTransaction` throws
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
