import { oneLine } from './oneLine.ts'

/** Quotes untrusted text on one line, truncated, and without hex that is as long as a signature. The text cannot end the quotation. */
export function showText(text: string, maxLength = 400): string {
  return quoteText(text.replace(/(?:0x)?[0-9a-f]{120,}/gi, '…'), maxLength)
}

/** Quotes text that a user is asked to sign. Unlike `showText`, keeps long hex. */
export function quoteText(text: string, maxLength: number): string {
  return oneLine(
    JSON.stringify(
      text.length > maxLength
        ? `${text.slice(0, Math.max(18, maxLength - 30))}… (${text.length} characters)`
        : text,
    ),
  )
}
