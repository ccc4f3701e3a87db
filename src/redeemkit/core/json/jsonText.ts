/** Serializes to JSON with bigints as decimal text, as wallets and services write the integers of typed data. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}` : one))
