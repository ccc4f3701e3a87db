/** Writes out characters that cannot be seen or that reorder others, so that text looks like what it is. Line ends stay. */
export function visibleText(text: string): string {
  return text.replace(/(?!\n)[\p{C}\p{Zl}\p{Zp}\u{115F}\u{1160}\u{3164}\u{FFA0}]/gu, (hidden) => {
    const code = (hidden.codePointAt(0) ?? 0).toString(16).padStart(4, '0')
    return `\\u${code.length > 4 ? `{${code}}` : code}`
  })
}
