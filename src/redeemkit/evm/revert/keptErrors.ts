const kept = new WeakMap<object, readonly unknown[]>()

/** Keeps the ABI that a record was built with, for its errors: in memory, never in the record, on the wire or in a hash. */
export function keepErrors(record: object, abi: readonly unknown[] | undefined): void {
  if (abi !== undefined) kept.set(record, abi)
}

/** Returns the ABI kept for this object; an empty list for a copy of it. */
export function keptErrors(record: object): readonly unknown[] {
  return kept.get(record) ?? []
}
