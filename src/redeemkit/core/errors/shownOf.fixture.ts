import { inspect } from 'node:util'

/** All text that a log, a terminal or an error tracker could show of an error and its causes. */
export function shownOf(error: unknown): string {
  const seen = new Set<unknown>()
  let text = ''
  for (
    let at = error;
    typeof at === 'object' && at !== null && !seen.has(at);
    at = Reflect.get(at, 'cause')
  ) {
    seen.add(at)
    text += `${at} ${jsonOf(at)} ${inspect(at, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null })}`
    for (const key of Reflect.ownKeys(at)) text += ` ${String(key)} ${String(Reflect.get(at, key))}`
  }
  return text
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, field) => (typeof field === 'bigint' ? `${field}` : field))
}
