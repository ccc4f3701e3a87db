/** Plain data as one line of JSON, for programs in any language: a bigint becomes decimal text. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one))
}
