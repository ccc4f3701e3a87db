import { type Address, type Hex, keccak256 } from 'viem'
import { checkAddress } from '../../values/checkAddress.ts'
import type { TempoTransaction } from './parseTempoTransaction.ts'
import { serializeTempoTransaction } from './serializeTempoTransaction.ts'

/**
 * What the sender of a Tempo transaction signs. In a sponsored one the fee token is left out and a placeholder stands for
 * the sponsor: the sender commits to neither.
 *
 * An access key signs `keychainDigest` of it.
 *
 * @see Tempo Transactions, "Sender signature hash"
 * @example
 * ```ts
 * import { buildTempoTransaction, hashTempoTransaction } from 'redeemkit/evm'
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
  const { signature: _signature, feePayerSignature: _feePayer, ...unsigned } = transaction
  if (!unsigned.sponsored) return keccak256(serializeTempoTransaction(unsigned))
  return keccak256(serializeTempoTransaction({ ...unsigned, feeToken: undefined }))
}

/**
 * What the sponsor signs: the whole transaction with its fee token, and the sender's address in the sponsor's place. The
 * first byte is 0x78, so that the two signatures can never be taken for each other.
 *
 * @see Tempo Transactions, "Fee payer signature hash"
 */
export function hashTempoFeePayer(transaction: TempoTransaction, options: { sender: Address }): Hex {
  const { signature: _signature, ...unsigned } = transaction
  const sender = checkAddress(options.sender, 'sender')
  return keccak256(serializeTempoTransaction({ ...unsigned, sender }, { format: 'handoff' }))
}
