export function least(first: bigint, ...others: readonly bigint[]): bigint {
  let found = first
  for (const other of others) if (other < found) found = other
  return found
}

export function greatest(first: bigint, ...others: readonly bigint[]): bigint {
  let found = first
  for (const other of others) if (other > found) found = other
  return found
}
