/**
 * A JSON number as the exact decimal that it was written as: its shortest form, `2.9` and not the double nearest to it.
 *
 * @returns `digits / 10^places`
 */
export function exactDecimal(value: number): { digits: bigint; places: number } {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const places = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places }
}
