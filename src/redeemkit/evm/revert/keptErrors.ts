const kept = new WeakMap<object, readonly unknown[]>()

/** Keeps the errors of the ABI that a record was built with: in memory, never in the record, on the wire or in a hash. */
export function keepErrors(record: object, abi: readonly unknown[] | undefined): void {
  const errors = abi?.filter((item) => Object(item).type === 'error')
  if (errors?.length) kept.set(record, errors)
}

/** Returns the errors kept for this very object; none for a copy. */
export function keptErrors(record: object): readonly unknown[] {
  return kept.get(record) ?? []
}
