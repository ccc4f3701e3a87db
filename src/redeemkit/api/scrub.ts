import { oneLine } from '../core/errors/oneLine.ts'

/**
 * Takes every secret out of a value that the service sent, in whole and in parts, and makes its texts fit to be shown.
 *
 * The rule: of what a secret is made of, no {@link partLength} letters and digits in a row remain, in any letter case,
 * whatever stands between them (spaces, `%2B`, `\u002b`, the limits of fields). So half of it, its end, or `r` without `s`
 * go as the whole goes, and it does not matter what is cut off later. What is nested too deep to be meant goes as well.
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
  // In the order in which they were just met. Values alone, without the keys between them: one secret may fill several.
  const cleanKeys = removeParts(keys, parts).values()
  const cleanTexts = removeParts(texts, parts).values()
  // Texts change, types do not.
  return change(value, {
    key: () => oneLine(cleanKeys.next().value ?? ''),
    text: () => oneLine(cleanTexts.next().value ?? ''),
  }) as value
}

/** How many letters and digits of a secret may not be seen in a row. */
const partLength = 8
/** Fewer letters and digits than these stand in any text: such a secret is looked for as it is, if it is as long as this. */
const shortest = 6

type Change = { key: (text: string) => string; text: (text: string) => string }

/** The same value with its keys and texts changed. A number of which something is removed becomes text. */
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

/** Every run of letters and digits of a secret that may not be seen, as sent and as escapes write it. */
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
        // Padding is no secret, and zeros stand in many amounts: of these it takes more.
        ...slices(partLength).filter((part) => /(?:[^0].*){3}/.test(part)),
        ...slices(3 * partLength),
      ]
    return letters.length >= shortest ? [letters] : []
  })
}

function lettersOf(text: string): string {
  return text.replace(/[^0-9a-z]/gi, '').toLowerCase()
}

/** The texts, read as one, without the parts. */
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
      // What stands between two letters goes when both do.
      if (!remove) clean += text.slice(end, index + 1)
      else if (!removing) clean += `${text.slice(end, index)}[removed]`
      end = index + 1
      removing = remove
    }
    return clean + text.slice(end)
  })
}
