import { oneLine } from '../core/errors/oneLine.ts'

/**
 * Removes secrets from a value that the service sent, and makes its texts safe to show.
 *
 * Removes every run of {@link partLength} letters and digits of a secret, in any case, even with separators in between (spaces, `%2B`,
 * `\u002b`, the end of a field). So a part of a secret, such as `r` without `s`, is also removed.
 */
export function scrub<value>(value: value, secrets: readonly string[]): value {
  const parts = new Set(secrets.flatMap(partsOf))
  const signs = secrets.filter((secret) => secret.length >= shortest && lettersOf(secret).length < shortest)
  const keep = (list: string[], text: string) => {
    list.push(signs.reduce((rest, secret) => rest.replaceAll(secret, '[removed]'), text))
    return text
  }
  const keys: string[] = []
  const texts: string[] = []
  change(value, { key: (text) => keep(keys, text), text: (text) => keep(texts, text) })
  // in the order in which `change` reads them; keys and values are separate, because a secret may span several values
  const cleanKeys = removeParts(keys, parts).values()
  const cleanTexts = removeParts(texts, parts).values()
  // Only texts change.
  return change(value, {
    key: () => oneLine(cleanKeys.next().value ?? ''),
    text: () => oneLine(cleanTexts.next().value ?? ''),
  }) as value
}

/** Number of consecutive letters and digits of a secret that must not remain. */
const partLength = 8
/** Shorter sequences occur in any text. A secret of this length with fewer letters and digits is searched for literally. */
const shortest = 6

type Change = { key: (text: string) => string; text: (text: string) => string }

/** Changes every key and text in a value. A number that changes becomes text. */
function change(value: unknown, by: Change, depth = 0): unknown {
  if (depth > 64) return '[removed]'
  if (typeof value === 'string') return by.text(value)
  if (typeof value === 'number') {
    const changed = by.text(String(value))
    return changed === String(value) ? value : changed
  }
  if (Array.isArray(value)) return value.map((one) => change(one, by, depth + 1))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [by.key(key), change(one, by, depth + 1)]),
    )
  return value
}

/** Returns every sequence of a secret that must not remain, also with the symbols of the secret escaped. */
function partsOf(secret: string): string[] {
  const escaped = (prefix: string, length: number) =>
    secret.replace(/[^0-9a-z]/gi, (sign) => prefix + sign.charCodeAt(0).toString(16).padStart(length, '0'))
  return [secret, escaped('', 2), escaped('u', 4)].flatMap((text) => {
    const letters = lettersOf(text)
    const slices = (length: number) =>
      Array.from({ length: Math.max(0, letters.length - length + 1) }, (_, at) =>
        letters.slice(at, at + length),
      )
    if (letters.length >= partLength)
      return [
        // zeros are not secret and common in amounts, so a slice that is mostly zeros needs a longer match
        ...slices(partLength).filter((part) => /(?:[^0].*){3}/.test(part)),
        ...slices(3 * partLength),
      ]
    return letters.length >= shortest ? [letters] : []
  })
}

function lettersOf(text: string): string {
  return text.replace(/[^0-9a-z]/gi, '').toLowerCase()
}

/** Searches the texts as one text, because a secret may span several. */
function removeParts(texts: readonly string[], parts: ReadonlySet<string>): readonly string[] {
  if (parts.size === 0) return texts
  const letters = texts.map(lettersOf).join('')
  const isPart = new Uint8Array(letters.length)
  for (const length of new Set([...parts].map((part) => part.length)))
    for (let at = 0; at + length <= letters.length; at++)
      if (parts.has(letters.slice(at, at + length))) isPart.fill(1, at, at + length)
  let at = 0
  return texts.map((text) => {
    let clean = ''
    let end = 0
    let removing = false
    for (const { index } of text.matchAll(/[0-9a-z]/gi)) {
      const remove = isPart[at++] === 1
      // Remove separators between two removed letters too.
      if (!remove) clean += text.slice(end, index + 1)
      else if (!removing) clean += `${text.slice(end, index)}[removed]`
      end = index + 1
      removing = remove
    }
    return clean + text.slice(end)
  })
}
