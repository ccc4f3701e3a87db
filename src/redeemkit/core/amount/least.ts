/** The least of some whole numbers. `Math.min` takes no bigint. */
export function least(first: bigint, ...others: readonly bigint[]): bigint {
  let found = first
  for (const other of others) if (other < found) found = other
  return found
}
