/**
 * Whether a value is a secret at all. `String(process.env.NAME)` of a variable that is not set is the text "undefined", which anybody can
 * guess.
 */
export function isSecret(value: unknown): value is string {
  return typeof value === 'string' && !/^\s*(?:bearer\s*)?(?:undefined|null)?\s*$/i.test(value)
}

/** Fewer characters than these stand in any text. */
const shortest = 8

/** Whether a text has the API key in it, with or without what stands before it in its header, as it is or as JSON writes it. */
export function holdsKey(text: string, apiKey: string): boolean {
  const key = apiKey.replace(/^bearer\s+/i, '')
  return key.length >= shortest && [key, JSON.stringify(key).slice(1, -1)].some((form) => text.includes(form))
}
