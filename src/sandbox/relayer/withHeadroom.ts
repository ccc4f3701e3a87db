import { least } from '../../redeemkit/core/amount/extremes.ts'
import { mostTransactionGas } from '../../redeemkit/core/limits.ts'

/**
 * Limits the gas of a transaction to what nodes accept (EIP-7825): a refused transaction would block its account's nonce queue.
 *
 * @param estimated above the limit only on chains that accept more
 */
export function withinLimit(gas: bigint, estimated: bigint): bigint {
  return estimated > mostTransactionGas ? gas : least(gas, mostTransactionGas)
}

/**
 * Adds headroom to estimated gas, because the state may change before the transaction is mined. Unused gas is not paid.
 *
 * @param extra gas for calls with inner calls, each of which reserves a 64th
 */
export function withHeadroom(gas: bigint, extra = 0n): bigint {
  return withinLimit((gas * 5n) / 4n + extra, gas)
}

/** Gas limit of one redeem. Its inner calls reserve a 64th at each level; unused gas is not paid. */
export const redeemGasLimit = (estimated: bigint) => withHeadroom(estimated, 20_000n)
