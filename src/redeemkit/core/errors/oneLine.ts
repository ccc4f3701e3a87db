/**
 * Text that a terminal may be given: on one line, and nothing in it that a terminal obeys or a reader cannot see.
 *
 * Control characters, line breaks, ANSI escapes, bidirectional marks, zero-width and tag characters are written out as
 * `\u{1b}`.
 */
export function oneLine(text: string): string {
  return text.replace(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

// Unicode's own classes: control, format, lone surrogate, unassigned; what is shown as nothing; ends of lines and paragraphs.
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu
