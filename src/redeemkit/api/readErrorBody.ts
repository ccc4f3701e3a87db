/**
 * What the body of an error answer holds: its JSON, or else the words that a reader of the text or page would see, on one
 * line and without a stack. Proxies answer with pages, frameworks with text.
 */
export function readErrorBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Enough for words, and little enough for the patterns below.
    const start = text.slice(0, 4_000)
    const words = /^\s*</.test(start) ? wordsOfPage(start) : start
    return words
      .replace(/\s+at [^\n]*?:\d+:\d+[\s\S]*$/, '')
      .replace(/\s+/g, ' ')
      .trim()
  }
}

function wordsOfPage(page: string): string {
  const body = page.replace(/<(head|script|style)\b[\s\S]*?<\/\1>/gi, ' ')
  return seen(body).trim() === '' ? seen(page) : seen(body)
}

function seen(markup: string): string {
  return markup.replace(/<[^<>]*>?/g, ' ').replace(/&(#?\w{1,8});/g, (whole, name) => entities[name] ?? whole)
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: ' ',
}
