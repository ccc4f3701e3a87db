/** `Math.min` for bigints. */
export function least(first: bigint, ...others: readonly bigint[]): bigint {
  let found = first
  for (const other of others) if (other < found) found = other
  return found
}

/** `Math.max` for bigints. */
export function greatest(first: bigint, ...others: readonly bigint[]): bigint {
  let found = first
  for (const other of others) if (other > found) found = other
  return found
}
