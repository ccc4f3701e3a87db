/** Returns the value that a function reads; `undefined` if it throws. For input that need not have the format. */
export function attempt<value>(read: () => value): value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Returns bytes as text, a byte order mark included; `undefined` for bytes that are not UTF-8. */
export const utf8Text = (bytes: Uint8Array): string | undefined =>
  attempt(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
