import { least } from '../../redeemkit/core/amount/extremes.ts'
import { mostTransactionGas } from '../../redeemkit/core/limits.ts'

/**
 * Limits the gas of a transaction to the maximum of EIP-7825: nodes reject more, which would block the account's nonce queue. An
 * estimate above the limit proves that the chain accepts more.
 */
export function withinLimit(gas: bigint, estimated: bigint): bigint {
  return estimated > mostTransactionGas ? gas : least(gas, mostTransactionGas)
}

/**
 * Adds headroom to estimated gas, because the state may change before the transaction is mined. Unused gas costs nothing.
 *
 * @param extra additional gas for nested calls, because each level reserves a 64th
 */
export function withHeadroom(gas: bigint, extra = 0n): bigint {
  return withinLimit((gas * 5n) / 4n + extra, gas)
}

/** Gas limit of one redeem. Its nested calls reserve a 64th of the gas at each level. Unused gas costs nothing. */
export const redeemGasLimit = (estimated: bigint) => withHeadroom(estimated, 20_000n)
