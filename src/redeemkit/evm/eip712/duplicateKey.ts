// Strings as runs (a long one would exhaust the matcher otherwise), and the signs that open, close and part.
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g

/**
 * The first key that one object of a JSON text has twice, however it is escaped; `undefined` when there is none.
 *
 * One reader keeps the first value and another one the last (RFC 8259, section 4): what is looked at and what is signed
 * could be two things.
 *
 * @param json text that `JSON.parse` takes
 */
export function duplicateKey(json: string): string | undefined {
  /** The keys of every object that is open; `undefined` for a list. */
  const open: (Set<string> | undefined)[] = []
  let text = ''
  for (const [sign] of json.matchAll(token)) {
    if (sign.startsWith('"')) text = sign
    else if (sign === '{') open.push(new Set())
    else if (sign === '[') open.push(undefined)
    else if (sign === '}' || sign === ']') open.pop()
    else if (sign === ':') {
      const key = String(JSON.parse(text))
      const keys = open.at(-1)
      if (keys?.has(key)) return key
      keys?.add(key)
    }
  }
  return undefined
}
