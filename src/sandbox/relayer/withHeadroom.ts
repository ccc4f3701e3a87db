/**
 * Adds 25 % to estimated gas, because the state may change before the transaction is mined. Unused gas is not paid.
 *
 * @param extra gas for calls with inner calls, each of which reserves a 64th
 */
export function withHeadroom(gas: bigint, extra = 0n): bigint {
  return (gas * 5n) / 4n + extra
}
