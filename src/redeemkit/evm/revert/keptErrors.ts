const kept = new WeakMap<object, readonly unknown[]>()

/** Keeps the errors of the ABI that a record was built with: in memory, never in the record, on the wire or in a hash. */
export function keepErrors(record: object, abi: readonly unknown[] | undefined): void {
  const errors = abi?.filter(
    (item) => typeof item === 'object' && item !== null && 'type' in item && item.type === 'error',
  )
  if (errors !== undefined && errors.length > 0) kept.set(record, errors)
}

/** The errors that were kept with this very object; none for a copy of it. */
export function keptErrors(record: object): readonly unknown[] {
  return kept.get(record) ?? []
}
