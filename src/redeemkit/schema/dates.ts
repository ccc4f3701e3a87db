import * as z from 'zod/mini'

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

export const dateText = z.string().check(z.refine(isDate, 'expected a day that exists, as YYYY-MM-DD'))

export const dateOrYearText = z
  .string()
  .check(
    z.refine(
      (text) => isDate(text) || /^\d{4}$/.test(text),
      'expected a day as YYYY-MM-DD, or a year as YYYY',
    ),
  )

/** ISO 8601 with an offset: `2026-11-20T12:00:00Z`. */
export const dateTimeText = z
  .string()
  .check(
    z.refine(
      (text) =>
        /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text) &&
        isDate(text.slice(0, 10)) &&
        !Number.isNaN(Date.parse(text)),
      'expected an instant in ISO 8601, such as 2026-11-20T12:00:00Z',
    ),
  )
