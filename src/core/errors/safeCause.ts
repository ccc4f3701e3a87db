/** The cause of an error, unless it repeats one of the secrets, in whatever it wraps. */
export function safeCause(cause: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0) return cause
  try {
    let text = ''
    for (let at = cause, depth = 0; at !== undefined && depth < 8; depth++) {
      text += JSON.stringify(at)
      if (at instanceof Error) text += `${at.message} ${at.stack}`
      at = at instanceof Error ? at.cause : undefined
    }
    return secrets.some((secret) => text.includes(secret)) ? undefined : cause
  } catch {
    // What cannot be looked through is not passed on.
    return undefined
  }
}
