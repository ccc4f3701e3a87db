import type * as z from 'zod/mini'
import { InvalidRecordError } from '../core/errors/inputErrors.ts'
import { passesLuhn } from '../core/passesLuhn.ts'
import { parseRecord } from '../schema/parseRecord.ts'

/** Returns the texts that errors must not repeat. Rejects a card number in place of a token: cards are entered only in the card form. */
export function checkoutRecord<schema extends z.core.$ZodType>(
  schema: schema,
  body: unknown,
  name: string,
  options: Pick<parseRecord.Options, 'field' | 'fix'> = {},
): { body: z.output<schema>; secrets: readonly string[] } {
  const record = parseRecord(schema, body, {
    ...options,
    record: `The body of ${name}`,
    hideValues: true,
  })
  for (const [field, text] of textsOf(record))
    if (/(?:^|\.)(?:cardToken|token)$/.test(field) && isCardNumber(text))
      throw new InvalidRecordError(`The body of ${name} contains a card number instead of a card token.`, {
        field: options.field ? `${options.field}.${field}` : field,
        fix: 'Get a token from the card form or POST /api/tokenize, and pass that.',
      })
  return { body: record, secrets: secretsIn(record) }
}

export function secretsIn(value: unknown, fields: ReadonlySet<string> = secretFields): string[] {
  return textsOf(value).flatMap(([path, text]) =>
    path.split('.').some((part) => fields.has(part)) ? text : [],
  )
}

/** Fields of a checkout that give access to money or an account. */
export const secretFields: ReadonlySet<string> = new Set([
  'cardToken',
  'token',
  'jwtToken',
  'destinationAuthKey',
  'accountNumber',
  'wireRoutingNumber',
  'signature',
  'r',
  's',
  'cavv',
  'additionalVendorData',
  'accountFundingTransaction',
])

function textsOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(Object(value)).flatMap(([key, one]) => textsOf(one, path ? `${path}.${key}` : key))
}

/** True for 12 to 19 digits with a valid check digit (ISO/IEC 7812), ignoring spaces and hyphens. */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '')
  return /^\d{12,19}$/.test(digits) && passesLuhn(digits)
}
