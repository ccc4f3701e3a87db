/** Phrases that identify a sign-in message, however it is written. */
const signInPattern = /sign\s*in\s+with\s+your|wants\s+you\s+to\s+sign/i
/**
 * Rejects control and format characters, including bidirectional ones, and broken surrogates: the text shown would differ from
 * the text signed.
 */
const readable = /^[^\p{Cc}\p{Cf}\p{Cs}]+$/u

/** Whether a text claims to be a sign-in message, so that it must match the format exactly. */
export function claimsSignIn(message: string): boolean {
  return signInPattern.test(message)
}

/**
 * Whether a text that is not a sign-in message may be signed with `allowPlainText`: it is not empty, does not claim to be a
 * sign-in, and is fully visible. Line feeds are the only control characters.
 */
export function isPlainText(message: unknown): message is string {
  return (
    typeof message === 'string' &&
    message.trim() !== '' &&
    readable.test(message.replaceAll('\n', ' ')) &&
    !claimsSignIn(message)
  )
}
