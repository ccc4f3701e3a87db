/** Whether the output is for a program. Known from the words themselves: they may not parse. */
export function wantsJson(words: readonly string[] = process.argv): boolean {
  return words.includes('--json')
}
