/**
 * Typed data as JSON text, the way the wire carries it (PROTOCOL.md 2.2): `amount` as a JSON number where a double
 * holds it exactly, every other integer as decimal text.
 */
export function typedDataText(typedData: { message: object }): string {
  return JSON.stringify(typedData, (key, value: unknown) => {
    if (typeof value !== 'bigint') return value
    return key === 'amount' && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString()
  })
}
