/** Typed data as the wire carries it: JSON text, `amount` a number where one holds it, other integers decimal text (PROTOCOL.md 2.2). */
export function typedDataText(typedData: object): string {
  return JSON.stringify(typedData, (key, value: unknown) => {
    if (typeof value !== 'bigint') return value
    return key === 'amount' && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : `${value}`
  })
}
