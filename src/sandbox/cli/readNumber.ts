import { InvalidArgumentError } from 'commander'

/** A whole number above 0 as it is given to a command. */
export function readNumber(text: string): number {
  const number = /^[1-9]\d*$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(number)) throw new InvalidArgumentError('It is a whole number above 0.')
  return number
}
