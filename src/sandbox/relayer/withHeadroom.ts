import { least } from '../../redeemkit/core/amount.ts'
import { mostTransactionGas } from '../../redeemkit/core/limits.ts'

/**
 * Nodes reject transactions above the limit of EIP-7825, which would block the nonce queue. A higher estimate shows that this chain
 * accepts more.
 */
export function withinLimit(gas: bigint, estimated: bigint): bigint {
  return estimated > mostTransactionGas ? gas : least(gas, mostTransactionGas)
}

/** The state may change before the transaction is mined. `extra` is for nested calls: each level reserves a 64th of the gas. */
export function withHeadroom(gas: bigint, extra = 0n): bigint {
  return withinLimit((gas * 5n) / 4n + extra, gas)
}

/** Gas limit of one redeem. Its nested calls reserve a 64th of the gas at each level. Unused gas costs nothing. */
export const redeemGasLimit = (estimated: bigint) => withHeadroom(estimated, 20_000n)
