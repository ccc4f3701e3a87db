/** Parses a URL; `undefined` if it is none. `URL.canParse` is too new for the supported browsers. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
