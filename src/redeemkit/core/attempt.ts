/** Returns the result of a function; `undefined` if it throws. For parsing input that may be invalid. */
export function attempt<value>(read: () => value): value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Decodes UTF-8. Keeps a byte order mark. Returns `undefined` for bytes that are not UTF-8. */
export const utf8Text = (bytes: Uint8Array): string | undefined =>
  attempt(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
