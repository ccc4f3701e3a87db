/**
 * A name as it is compared: in Latin letters without accents, lower case, its words apart.
 *
 * @returns no word for a name without letters; of a very long one its beginning, since one character can stand for eighteen letters
 */
export async function foldName(name: string): Promise<readonly string[]> {
  // Half a megabyte of tables, which nobody else needs.
  const { default: anyAscii } = await import('any-ascii')
  return anyAscii(name.normalize('NFC'))
    .slice(0, mostLetters)
    .toLowerCase()
    .replace(/['`´’.]/g, ' ')
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}

/** Comparing takes the square of it. */
const mostLetters = 400

/** How a word sounds, roughly: the same for the usual ways to write it in Latin letters. */
export function soundOf(word: string): string {
  return word
    .replaceAll('ph', 'f')
    .replaceAll('x', 'ks')
    .replaceAll('ck', 'k')
    .replace(/[yj]/g, 'i')
    .replaceAll('w', 'v')
    .replace(/(.)\1+/g, '$1')
}
