/** What gives a text away as a sign-in, whatever else stands in it and however it is written. */
const signInWords = /sign\s*in\s+with\s+your|wants\s+you\s+to\s+sign/i
/** Control and format characters (of either direction, too) and broken surrogates: what is shown is not what is signed. */
const readable = /^[^\p{Cc}\p{Cf}\p{Cs}]+$/u

/** Whether a text claims to be a sign-in, so that it has to be one to the letter. */
export function claimsSignIn(message: string): boolean {
  return signInWords.test(message)
}

/**
 * Whether a text may be signed without being a sign-in, by a caller who allows plain text: it says something, claims to be no
 * sign-in, and shows all that it is. Line feeds are the only control characters in it.
 */
export function isPlainText(message: unknown): message is string {
  return (
    typeof message === 'string' &&
    message.trim() !== '' &&
    readable.test(message.replaceAll('\n', ' ')) &&
    !claimsSignIn(message)
  )
}
