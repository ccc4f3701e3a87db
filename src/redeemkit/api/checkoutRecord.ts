import type * as z from 'zod/mini'
import { InvalidRecordError } from '../core/errors/inputErrors.ts'
import { passesLuhn } from '../core/passesLuhn.ts'
import { parseRecord } from '../schema/parseRecord.ts'

/**
 * Parses the body of a checkout strictly and collects the texts that errors must not repeat. Messages never show its values. A
 * card number instead of a token is rejected: card numbers belong in the card form only.
 *
 * @param options.field path of the body in the caller's data
 * @throws {@link InvalidRecordError}
 */
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
  const secrets: string[] = []
  for (const [field, text] of textsOf(record)) {
    const key = field.split('.')
    if (key.some((part) => secretFields.has(part))) secrets.push(text)
    if (/(?:^|\.)(?:cardToken|token)$/.test(field) && isCardNumber(text))
      throw new InvalidRecordError(`The body of ${name} contains a card number instead of a card token.`, {
        field: options.field ? `${options.field}.${field}` : field,
        fix: 'Get a token from the card form or POST /api/tokenize, and pass that.',
      })
  }
  return { body: record, secrets }
}

/** Fields that give access to money or an account, with everything inside them. */
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

/** Returns every text in a value, with its path. */
function textsOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(Object(value)).flatMap(([key, one]) => textsOf(one, path ? `${path}.${key}` : key))
}

/** 12 to 19 digits with a valid check digit (ISO/IEC 7812), ignoring spaces and hyphens. */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '')
  return /^\d{12,19}$/.test(digits) && passesLuhn(digits)
}
