/** The most that a transaction can ask for. */
export const maxUnits = 1_400_000

/**
 * What a transfer takes: the creation of an account (up to 40,000), the transfer (7,000), {@link freeMemoUnits}, and the
 * guards that a wallet adds (up to 12,000 each).
 */
const defaultUnits = 120_000
/** 64 letters. */
const freeMemoUnits = 64 * 360

/**
 * The compute unit limit of a transfer whose caller names none. See PROTOCOL.md 9.3.
 *
 * Version 3 of the memo program writes the text into its log letter by letter, and looks each one up in tables: that is
 * what takes units. The numbers are bounds of what the program took on the local chain, which runs it.
 */
export function unitsFor(memo: string, memoVersion: 3 | 4): number {
  if (memoVersion === 4) return defaultUnits
  const units = [...memo].reduce((sum, letter) => sum + unitsOfLetter(letter.codePointAt(0) ?? 0), 0)
  return defaultUnits + Math.max(units - freeMemoUnits, 0)
}

function unitsOfLetter(code: number): number {
  if (code >= 0x20 && code < 0x7f) return 360
  if (code < 0x800) return 1_800
  return code < 0xe000 ? 13_300 : 20_000
}
