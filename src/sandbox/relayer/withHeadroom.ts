/**
 * Adds headroom to estimated gas, because the state may change before the transaction is mined. Unused gas is not paid.
 *
 * @param extra gas for calls with inner calls, each of which reserves a 64th
 */
export function withHeadroom(gas: bigint, extra = 0n): bigint {
  return (gas * 5n) / 4n + extra
}

/** Gas limit of one redeem. Its inner calls reserve a 64th at each level; unused gas is not paid. */
export const redeemGasLimit = (estimated: bigint) => withHeadroom(estimated, 20_000n)
