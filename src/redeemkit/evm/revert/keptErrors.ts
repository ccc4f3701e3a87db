const kept = new WeakMap<object, readonly unknown[]>()

/** Remembers the ABI that a record was built with, so that `decodeRevert` knows its errors. The ABI is never part of the record itself. */
export function keepErrors(record: object, abi: readonly unknown[] | undefined): void {
  if (abi !== undefined) kept.set(record, abi)
}

/** Returns the remembered ABI of a record; an empty list for any other object, even a copy. */
export function keptErrors(record: object): readonly unknown[] {
  return kept.get(record) ?? []
}
