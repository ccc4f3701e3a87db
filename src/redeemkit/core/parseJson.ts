import { BaseError } from './errors/baseError.ts'

// Matches whole runs of plain characters: one match per character would overflow the regex stack.
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * Throws if a number would be rounded: `JSON.parse` rounds integers above 2^53 - 1 and some decimals without an error, which changes the
 * hash of the data.
 */
export function parseJson(text: string, options: { field?: string | undefined } = {}): unknown {
  const { field } = options
  let value: unknown
  let rounded: string | undefined
  try {
    value = JSON.parse(text)
    rounded = firstRounded(text)
  } catch (cause) {
    throw new InvalidJsonError('The text is not JSON.', {
      field,
      cause,
      fix: 'Check that the text is complete JSON, not HTML.',
    })
  }
  if (rounded !== undefined)
    throw new UnsafeJsonNumberError(
      `The JSON number ${rounded.slice(0, 40)} cannot be represented exactly.`,
      {
        field,
        fix: 'Send integers above 2^53 - 1 and long decimals as text.',
        source: 'RFC 8259, section 6',
      },
    )
  return value
}

export declare namespace parseJson {
  type ErrorType = InvalidJsonError | UnsafeJsonNumberError
}

function firstRounded(text: string): string | undefined {
  return text.match(token)?.find((literal) => !literal.startsWith('"') && !isExact(literal))
}

function isExact(literal: string): boolean {
  const value = Number(literal)
  if (!Number.isFinite(value)) return false
  if (/^-?\d+$/.test(literal)) return Number.isSafeInteger(value)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return false
  return canonical(literal) === canonical(String(value))
}

/** Makes 1.50, 1.5 and 15e-1 equal. */
function canonical(literal: string): string {
  const [, sign = '', whole = '', places = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? []
  const digits = (whole + places).replace(/^0+/, '')
  // Without the look-behind, a long number would take minutes.
  const significant = digits.replace(/(?<!0)0+$/, '')
  if (significant === '') return '0'
  return `${sign}${significant}e${Number(exponent) - places.length + (digits.length - significant.length)}`
}

/** The text is not valid JSON. */
export class InvalidJsonError extends BaseError {
  override readonly name = 'InvalidJsonError'
}

/** The JSON contains a number that a double would round. */
export class UnsafeJsonNumberError extends BaseError {
  override readonly name = 'UnsafeJsonNumberError'
}

/** Writes bigints as decimal text, as wallets and services do in typed data. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}` : one))
