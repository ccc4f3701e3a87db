import { InvalidArgumentError } from 'commander'

export function readNumber(text: string): number {
  const number = /^[1-9]\d*$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(number)) throw new InvalidArgumentError('Pass a whole number above 0.')
  return number
}

export const defaultPort = 4242

export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535))
    throw new InvalidArgumentError('Pass a number from 0 to 65535; 0 selects a free port.')
  return port
}
