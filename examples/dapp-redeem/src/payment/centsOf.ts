/** `4`, `4.5`, `4.50` as cents; `undefined` for what is no amount up to the maximum. */
export function centsOf(text: string, maximumCents: number): number | undefined {
  const [, whole, part = ''] = /^\$?(\d{1,6})(?:[.,](\d{0,2}))?$/.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  const cents = Number(whole) * 100 + Number(part.padEnd(2, '0'))
  return cents <= maximumCents ? cents : undefined
}
