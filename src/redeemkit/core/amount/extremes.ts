/** Returns the smallest bigint. `Math.min` does not accept bigints. */
export function least(first: bigint, ...others: readonly bigint[]): bigint {
  let found = first
  for (const other of others) if (other < found) found = other
  return found
}

/** Returns the largest bigint. `Math.max` does not accept bigints. */
export function greatest(first: bigint, ...others: readonly bigint[]): bigint {
  let found = first
  for (const other of others) if (other > found) found = other
  return found
}
