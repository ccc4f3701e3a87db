import { oneLine } from './oneLine.ts'

/**
 * Text of somebody else, as an error message shows it: quoted, on one line, and cut.
 *
 * A quotation mark inside is escaped, so that nobody can end the quotation and speak in our voice. Bytes as long as a
 * signature are left out.
 */
export function showText(text: string, maxLength = 400): string {
  const short = text.replace(/(?:0x)?[0-9a-f]{120,}/gi, '…')
  return oneLine(
    JSON.stringify(
      short.length > maxLength
        ? `${short.slice(0, Math.max(18, maxLength - 30))}… (${text.length} characters)`
        : short,
    ),
  )
}
