/** Makes text safe to print in a terminal: on one line, with control, invisible and bidirectional characters escaped as `\u{1b}`. */
export function oneLine(text: string): string {
  return text.replace(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

// Unicode classes: control, format, lone surrogate, unassigned, default-ignorable, line and paragraph separators.
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu
