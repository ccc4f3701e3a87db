import type * as z from 'zod/mini'
import { InvalidRecordError } from '../core/errors/inputErrors.ts'
import { parseRecord } from '../schema/parseRecord.ts'

/**
 * The body of a checkout, strictly, with the texts in it that no error may repeat. A message never shows a value of it, and a
 * card's number in the place of its token is refused: it goes to the card form, and nowhere else.
 *
 * @param prefix leads the paths of fields, where the body is a part of the caller's data
 * @throws {@link InvalidRecordError}
 */
export function checkoutRecord<schema extends z.core.$ZodType>(
  schema: schema,
  body: unknown,
  name: string,
  prefix = '',
): { body: z.output<schema>; secrets: readonly string[] } {
  const record = parseRecord(schema, body, {
    record: `The body of ${name}`,
    field: prefix,
    hideValues: true,
  })
  const secrets: string[] = []
  for (const [field, text] of textsOf(record)) {
    const key = field.split('.')
    if (key.some((part) => secretFields.has(part))) secrets.push(text)
    if (/(?:^|\.)(?:cardToken|token)$/.test(field) && isCardNumber(text))
      throw new InvalidRecordError(
        `The body of ${name} has the number of a card in the place of its token.`,
        {
          field: prefix ? `${prefix}.${field}` : field,
          fix: 'Have the card form or POST /api/tokenize make a token of it, and give that.',
        },
      )
  }
  return { body: record, secrets }
}

export declare namespace checkoutRecord {
  type ErrorType = InvalidRecordError
}

/** What is worth money or an account in other hands, with all that lies inside. */
const secretFields = new Set([
  'cardToken',
  'token',
  'jwtToken',
  'destinationAuthKey',
  'accountNumber',
  'wireRoutingNumber',
  'customerUsdcTransferData',
  'customerUsdcTransferDataV2',
  'cavv',
  'additionalVendorData',
  'accountFundingTransaction',
])

/** Every text of a value, with its path. */
function textsOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(Object(value)).flatMap(([key, one]) => textsOf(one, path ? `${path}.${key}` : key))
}

/** 12 to 19 digits with a right check digit (ISO/IEC 7812), spaces and hyphens aside. */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const worth = Number(digit) * (1 + (at % 2))
    return total + (worth > 9 ? worth - 9 : worth)
  }, 0)
  return sum % 10 === 0
}
