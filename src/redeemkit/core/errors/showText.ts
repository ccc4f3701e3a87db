import { oneLine } from './oneLine.ts'

/**
 * Quotes untrusted text for an error message, on one line and truncated.
 *
 * Escapes quotation marks, so that the text cannot end the quotation. Removes hex that is as long as a signature.
 */
export function showText(text: string, maxLength = 400): string {
  return quoteText(text.replace(/(?:0x)?[0-9a-f]{120,}/gi, '…'), maxLength)
}

/** Quotes text that a user is asked to sign. Like `showText`, but keeps long hex. */
export function quoteText(text: string, maxLength: number): string {
  return oneLine(
    JSON.stringify(
      text.length > maxLength
        ? `${text.slice(0, Math.max(18, maxLength - 30))}… (${text.length} characters)`
        : text,
    ),
  )
}
