import { InvalidArgumentError } from 'commander'

/** A whole number above 0 as it is given to a command. */
export function readNumber(text: string): number {
  const number = /^[1-9]\d*$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(number)) throw new InvalidArgumentError('It is a whole number above 0.')
  return number
}

/** The port of the service, when nothing else is said. */
export const defaultPort = 4242

/** A port as it is given to a command. */
export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535))
    throw new InvalidArgumentError('A port is a number between 0 and 65535; 0 takes a free one.')
  return port
}
